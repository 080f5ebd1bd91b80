/** EFFECT-19: a handoff counts once the next agent is heard. Until then a caller who speaks takes it back. */
import { withdrawnItem } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ChosenHandoff } from "../../pipeline/cascade/choose-handoff.ts";
import type { SessionNotice } from "../../transports/transport.ts";
import type { Conversation } from "../conversation/conversation.ts";

/** A handoff within a reply. */
export interface TakenHandoff {
  readonly from: string;
  readonly to: string;
  /** The next agent greets the caller. */
  readonly isAnnounced: boolean;
  /** The tool call that requested the handoff. */
  readonly callId: string;
  readonly takeBack: () => void;
}

interface HandoffParts {
  readonly conversation: Pick<Conversation, "append" | "agent" | "takeHandoff">;
  readonly notify: (notice: SessionNotice) => void;
  readonly onAgentChanged: () => void;
}

export function takeHandoff(
  handoff: ChosenHandoff,
  { conversation, notify, onAgentChanged }: HandoffParts,
): TakenHandoff {
  const { type, greeting, callId } = handoff;
  const [from, to] = [handoff.from.name, handoff.to.name];
  const takeBack = conversation.takeHandoff(handoff);
  notify({ type: "handoff", payload: { from, to, type } });
  onAgentChanged();
  return { from, to, isAnnounced: greeting !== undefined, callId, takeBack };
}

/**
 * The caller spoke over the announcement, which is over when the next agent is heard. Returns the agent who has the
 * conversation again; undefined if no handoff was taken back.
 */
export function takeHandoffsBack(
  handoffs: readonly TakenHandoff[],
  heard: readonly { readonly agent: string }[],
  { conversation, notify, onAgentChanged }: HandoffParts,
  place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">,
): string | undefined {
  const isUnheard = ({ isAnnounced, to }: TakenHandoff): boolean =>
    isAnnounced && !heard.some(({ agent }) => agent === to);
  const at = handoffs.findIndex(isUnheard);
  const first = handoffs[at];
  if (first === undefined) return undefined;
  const { name } = conversation.agent;
  first.takeBack();
  if (conversation.agent.name === name) return undefined;
  conversation.append(handoffs.slice(at).map(({ callId }) => withdrawnItem(callId, "talked_over", place)));
  notify({ type: "handoff", payload: { from: name, to: first.from, type: "discrete" } });
  onAgentChanged();
  return first.from;
}
