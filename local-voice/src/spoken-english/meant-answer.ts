/** "Yes, no, wait, no": people correct a yes or a no in the same breath, and mean what they say last. */
import { isAt } from "./answer-marks.ts";
import { isAnswerWord } from "./answer-words.ts";

const repairs = ["wait", "hold on", "hang on", "sorry", "actually", "i mean", "i meant", "correction", "scratch that"];
const hesitations = new Set(["um", "uh", "er", "ah", "oh", "hmm", "well"]);

/** The answer that remains if only answers were taken back; otherwise all the words. */
export function meantAnswer(tokens: readonly string[]): readonly string[] {
  let meant = tokens;
  for (let at = 0; at < tokens.length;) {
    const repair = repairs.find((phrase) => isAt(phrase, tokens, at));
    const next = at + (repair?.split(" ").length ?? 1);
    if (repair === undefined && !isAnswer(tokens[at])) break;
    if (repair !== undefined && isAnswer(tokens[next])) meant = tokens.slice(next);
    at = next;
  }
  return meant;
}

function isAnswer(token = ""): boolean {
  return isAnswerWord(token) || hesitations.has(token);
}
