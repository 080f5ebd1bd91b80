/** The view of a conversation that began before one looked: rebuilt from what the service has stored. */
import type { SessionDetails, SessionTurns } from "../api/service-api.ts";
import { emptyConversation } from "./conversation-view.ts";
import type { ConversationView, Entry } from "./conversation-view.ts";

export function fromHistory(details: SessionDetails, turns: SessionTurns): ConversationView {
  const entries = details.conversation_history.flatMap((item, index): Entry[] => {
    const base = { id: index + 1, at: item.timestamp };
    if (item.content === "") return [];
    if (item.role === "user") return [{ ...base, kind: "user", text: item.content, isPending: false }];
    if (item.role !== "assistant") return [];
    return [
      {
        ...base,
        kind: "agent",
        agent: item.agent,
        turnId: item.turn_id,
        text: item.content,
        isComplete: true,
        isInterrupted: item.interrupted,
        unheard: "",
      },
    ];
  });
  return {
    ...emptyConversation,
    agent: details.active_agent,
    entries,
    latencies: turns.map(({ turn_id: turnId, agent, marks }) => ({ turnId, agent, metrics: marks })),
    nextId: details.conversation_history.length + 1,
  };
}
