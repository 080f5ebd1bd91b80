/**
 * "That is all" is a goodbye, and "that is all I had on me" is not: what follows the words of a farewell may be what they
 * are about. Whoever is hung up on by mistake has to call again, and whoever is asked once more only answers.
 */
import type { Intent } from "../rules/rules.ts";

/** Said in any farewell: "for now", "all I needed", "have a nice day". `@` is a date, such as "today". */
const closingWords = new Set(
  (
    "thank thanks you your very much so a lot for help time now then @ have nice good great fine day evening night weekend " +
    "one too again bye goodbye no yes it was everything i need needed want wanted had"
  ).split(" "),
);

export function endsCall({ action }: Intent): boolean {
  return action.type === "call" && action.tool === "end_call";
}

/** After the first word of the farewell, whose words are at the positions `taken`, come others that are part of none. */
export function saysMore(spoken: readonly string[], taken: ReadonlySet<number>): boolean {
  const start = Math.min(...taken);
  return spoken.some((word, at) => at > start && !taken.has(at) && !closingWords.has(word));
}
