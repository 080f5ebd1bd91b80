/**
 * A state that has every conversation archived that ends. It is in the queue before the write that ends it, and is hastened
 * after that: if the process dies in between, whoever archives finds out whether the write took place.
 */
import type { State } from "../state/ports/state.ts";
import { checkAfterMs, watchEnds } from "../state/watch-ends.ts";
import { conversationToArchive } from "../state/work/conversations-to-archive.ts";

/** The reason for the end, and the last words of its recording, are written just after the end itself. */
export const archiveAfterMs = 2000;

export function archiveEnds(state: State): State {
  const { toArchive } = state;
  return {
    ...state,
    sessions: watchEnds(state.sessions, async (ended, write) => {
      const conversation = conversationToArchive(ended);
      await toArchive.put(conversation, checkAfterMs);
      const answer = await write();
      await toArchive.hasten(conversation, archiveAfterMs);
      return answer;
    }),
  };
}
