/**
 * EFFECT-2: the caller spoke over the announcement of these effects. They are not carried out, and the agent is told.
 */
import { calledOffItem } from "@voice/shared/conversation/called-off";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { Conversation } from "./conversation.ts";
import type { HostEffect } from "./host-effects.ts";

export function callOff(
  effects: readonly HostEffect[],
  conversation: Pick<Conversation, "append">,
  place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">,
): void {
  if (effects.length > 0) conversation.append(effects.map(({ id }) => calledOffItem(id, place)));
}
