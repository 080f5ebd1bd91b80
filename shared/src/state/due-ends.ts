/**
 * A state that puts every conversation that ends into lanes of work. It is in the queue before the write that ends it, and is
 * hastened after that: if the process dies in between, whoever takes it finds out whether the write took place.
 */
import type { State } from "./ports/state.ts";
import { checkAfterMs, watchEnds } from "./watch-ends.ts";
import { dueConversation, type DueConversations } from "./work/due-conversations.ts";

/** The reason for the end, and the last words of its recording, are written just after the end itself. */
export const settledAfterMs = 2000;

export function queueEnds(state: State, lanes: readonly DueConversations[]): State {
  return {
    ...state,
    sessions: watchEnds(state.sessions, async (ended, write) => {
      const conversation = dueConversation(ended);
      await Promise.all(lanes.map((lane) => lane.put(conversation, checkAfterMs)));
      const answer = await write();
      await Promise.all(lanes.map((lane) => lane.hasten(conversation, settledAfterMs)));
      return answer;
    }),
  };
}
