/** HIST-1: what the caller was saying when the conversation ended. */
import { nextTurnId, userText } from "../turn/turn-state.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { callerItem } from "./caller-item.ts";
import type { Conversation } from "./conversation.ts";

/** Nobody will answer it, and a host that takes the call over must not: it may be half a sentence (TAKE-3). */
export function keepOpenWords(conversation: Conversation, state: TurnState, timestampMs: number): void {
  const text = userText(state.user);
  if (text === "" || state.isDeaf) return;
  const turnId = nextTurnId(state);
  conversation.beginTurn(state.turnCount + 1);
  const said = callerItem({ text, agent: conversation.agent.name, turnId, timestampMs });
  conversation.append([{ ...said, interrupted: true }]);
}
