/**
 * EFFECT-2: the caller spoke over the announcement of these effects. They are not carried out, and the agent is told.
 */
import { withdrawnItem } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { Conversation } from "./conversation.ts";
import type { HostEffect } from "./host-effects.ts";

export function withdrawEffects(
  effects: readonly HostEffect[],
  conversation: Pick<Conversation, "append">,
  place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">,
): void {
  if (effects.length > 0) conversation.append(effects.map(({ id }) => withdrawnItem(id, place)));
}
