/** HIST-1, HIST-6: stores the words of the caller, or of a person who has taken over, in the place of their turn. */
import type { Clock } from "@voice/shared/platform/clock";
import type { TurnEffect } from "../turn/turn-effects.ts";
import { callerItem } from "./caller-item.ts";
import type { Conversation } from "./conversation.ts";

export function storeCallerText(
  conversation: Conversation,
  { turnId, text, begunAtMs, endedMs, author }: Omit<Extract<TurnEffect, { type: "keep-words" }>, "type">,
  clock: Clock,
): void {
  const agoMs = endedMs === undefined ? 0 : Math.max(0, Math.round(clock.now() - endedMs));
  const timestampMs = clock.wallNow() - agoMs;
  // Beside a person (PERSON-5) two recognisers listen, and the one that is later may have heard what was said first.
  const place = begunAtMs ?? (endedMs === undefined ? undefined : timestampMs);
  const item = callerItem({ text, agent: conversation.agent.name, turnId, timestampMs, begunAtMs: place });
  conversation.append([author === undefined ? item : { ...item, role: "assistant", author }]);
}
