/**
 * The caller may hang up in any state. What they have said by then and nobody has answered is stored with the conversation
 * (HIST-1), so the session must still have it.
 */
import { userText } from "../../session/turn/turn-state.ts";
import type { World } from "./world.ts";

/** Undefined if all is well; otherwise the broken rule. */
export function lostByHangingUp({ turn, unanswered }: World): string | undefined {
  if (turn.isDeaf) return undefined; // VM-2
  let kept = userText(turn.user);
  for (const words of unanswered) {
    if (!kept.includes(words)) return `[HIST-1] what the caller said before they hung up is kept ("${words}")`;
    kept = kept.replace(words, "");
  }
  return undefined;
}
