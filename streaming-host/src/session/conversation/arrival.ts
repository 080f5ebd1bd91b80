/** How an agent came to have the conversation. */
import type { HandoffTaken } from "../../pipeline/cascade/plan-handoff.ts";
import type { HistoryBoundary } from "./conversation-history.ts";

export interface Arrival {
  readonly previousAgent: string;
  readonly handoffReason: string;
  /** BARGE-12: what the agent still has to say first, because nobody has heard a word of it. */
  readonly unheardGreeting: string | undefined;
  /** Where in the history begins what the agent knows, if an agent before it here has not shared the context. */
  readonly boundary: HistoryBoundary | undefined;
}

/** `boundary`: where that begins now. */
export function arrivalBy(
  { from, reason, greeting, shareContext }: HandoffTaken,
  before: Arrival | undefined,
  boundary: HistoryBoundary | undefined,
): Arrival {
  return {
    previousAgent: from.name,
    handoffReason: reason,
    unheardGreeting: greeting,
    boundary: shareContext ? before?.boundary : boundary,
  };
}
