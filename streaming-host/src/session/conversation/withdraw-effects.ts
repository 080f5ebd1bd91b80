/** EFFECT-2: what tools asked for is not done when the caller speaks over it, and the agent is told. */
import { withdrawnItem } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolCallOutcome } from "../../pipeline/cascade/tool-call-outcome.ts";
import type { Conversation } from "./conversation.ts";
import type { HostEffect } from "./host-effects.ts";

type Place = Pick<HistoryItem, "agent" | "turnId" | "timestampMs">;

/** The caller spoke over the announcement of these effects. */
export function withdrawEffects(
  effects: readonly HostEffect[],
  conversation: Pick<Conversation, "append">,
  place: Place,
): void {
  if (effects.length > 0) conversation.append(effects.map(({ id }) => withdrawnItem(id, place)));
}

/** The caller spoke while these tools ran. Returns whether any of them asked for something, such as a handoff. */
export function withdrawOutcomes(
  outcomes: readonly ToolCallOutcome[],
  conversation: Pick<Conversation, "append">,
  place: Place,
): boolean {
  const asking = outcomes.filter(({ effects }) => effects.length > 0);
  conversation.append(asking.map(({ call }) => withdrawnItem(call.id, place)));
  return asking.length > 0;
}
