/** Rebuilds the view of a conversation from the messages that were stored of it: what somebody would have seen who watched it. Pure. */
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";

import type { SessionDetails, SessionTurns, StoredMessage, StoredMessages } from "../api/service-api.ts";
import { maxLatencies } from "./conversation-view.ts";
import type { ConversationView } from "./conversation-view.ts";
import { fromHistory, toLatency } from "./from-history.ts";
import { reduceConversation } from "./reduce-conversation.ts";

export function fromMessages(
  details: SessionDetails,
  turns: SessionTurns,
  { isComplete, messages }: StoredMessages,
): ConversationView {
  const [first] = messages;
  if (first === undefined) return fromHistory(details, turns);
  const before = isComplete ? [] : details.conversation_history.filter(({ timestamp }) => timestamp < first.timestamp);
  const failures = isComplete ? [] : details.failures.filter(({ timestamp }) => timestamp < first.timestamp);
  const base = fromHistory({ ...details, conversation_history: before, failures }, []);
  const view = messages.reduce(reduceConversation, base);
  // Those that are stored have the agent of each turn.
  return turns.length === 0 ? view : { ...view, latencies: turns.slice(-maxLatencies).map(toLatency) };
}

/** Whether a message that was received live is among those that were stored, or a part of one. */
export function isStored(message: ServerMessage, stored: readonly StoredMessage[]): boolean {
  return stored.some(({ type, timestamp, until, payload }) => {
    if (type !== message.type) return false;
    if (until !== undefined && message.type === "response" && type === "response" && !message.payload.is_final) {
      const { turn_id: turnId, agent } = message.payload;
      const isOfIt = payload.turn_id === turnId && payload.agent === agent;
      return isOfIt && message.timestamp >= timestamp && message.timestamp <= until;
    }
    return timestamp === message.timestamp && JSON.stringify(payload) === JSON.stringify(message.payload);
  });
}
