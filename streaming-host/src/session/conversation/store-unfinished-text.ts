/** HIST-1: what the caller was saying when the conversation ended. */
import { turnIdOf } from "../turn/turn-state.ts";
import { callerItem } from "./caller-item.ts";
import type { Conversation } from "./conversation.ts";

export interface UnfinishedText {
  readonly text: string;
  /** The turns before. */
  readonly turnCount: number;
  readonly timestampMs: number;
  /** The place that it has in the history (HIST-6); the end of it if absent. */
  readonly begunAtMs?: number | undefined;
}

/** Nobody will answer it, and a host that takes the call over must not: it may be half a sentence (TAKE-3). */
export function storeUnfinishedText(
  conversation: Conversation,
  { text, turnCount, timestampMs, begunAtMs }: UnfinishedText,
): void {
  if (text === "") return;
  conversation.beginTurn(turnCount + 1, timestampMs);
  const agent = conversation.agent.name;
  const said = callerItem({ text, agent, turnId: turnIdOf(turnCount + 1), timestampMs, begunAtMs });
  conversation.append([{ ...said, interrupted: true }]);
}
