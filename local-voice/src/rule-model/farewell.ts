/**
 * "That is all" is a goodbye, and "that is all I had on me" is not: the words after a farewell may give it another meaning. A caller who is
 * hung up on by mistake has to call again, while one who is asked once more only has to answer.
 */
import type { Intent } from "../rules/rules.ts";

/** Words that occur in farewells: "for now", "all I needed", "have a nice day". `@` is a date, such as "today". */
const closingWords = new Set(
  (
    "thank thanks you your very much so a lot for help time now then @ have nice good great fine day evening night weekend " +
    "one too again bye goodbye no yes it was everything i need needed want wanted had"
  ).split(" "),
);

export function endsCall({ action }: Intent): boolean {
  return action.type === "call" && action.tool === "end_call";
}

/** Whether words that are part of no farewell follow the first word of this one, whose words are at the positions `taken`. */
export function saysMore(spoken: readonly string[], taken: ReadonlySet<number>): boolean {
  const start = Math.min(...taken);
  return spoken.some((word, at) => at > start && !taken.has(at) && !closingWords.has(word));
}
