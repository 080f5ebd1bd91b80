/** Yes and no: the sentences that a recogniser listens for, and the interpretation of what was said. */
import { affirmative, isAnswerWord, polite, weak } from "./answer-words.ts";
import { isAt, marksOf } from "./answer-marks.ts";

/**
 * Recognised at any time, whatever was asked. "Yep" and "nope" are left out: noise sounds like the former, and "no"
 * like the latter.
 */
export const shortAnswers = [
  "yes",
  "yes please",
  "yeah",
  "no",
  "no thanks",
  "no thank you",
  "okay",
  "sure",
  "correct",
  "that is right",
  "that's right",
  "that is wrong",
  "cancel",
];

/** Recognised in addition when the agent asks for a confirmation. */
export const confirmations = [
  "yes",
  "yes please",
  "yes do it",
  "yes that is right",
  "yeah",
  "sure",
  "correct",
  "go ahead",
  "that is correct",
  "no",
  "no thanks",
  "no thank you",
  "no do not",
  "not now",
  "cancel",
];

/** Contains the words of a yes or a no, but is neither. */
const undecidedPhrases = ["not sure", "don't know", "do not know", "no idea", "not certain", "yes and no", "yes or no"];
const questionWords = new Set(
  "what what's how when where who which if is are does do did can could will would have has".split(" "),
);

/**
 * Undefined if the words are neither. `both` if there is a yes after a no, and it is unclear which of them is meant: acting on it would be
 * a guess, so the caller is asked again.
 */
export function readYesNo(said: readonly string[]): "yes" | "no" | "both" | undefined {
  const tokens = meantAnswer(said);
  if (undecidedPhrases.some((phrase) => tokens.some((_token, at) => isAt(phrase, tokens, at)))) return undefined;
  const marks = marksOf(tokens);
  const last = marks.findLast(({ isWeak }) => isWeak !== true);
  if (marks.some(({ verdict }) => verdict === "no")) {
    if (last?.verdict === "no") return "no";
    return last?.isCommand === true ? "yes" : "both";
  }
  if (marks.length === 0) return undefined;
  const isQuestion = questionWords.has(tokens[0] ?? "");
  return isQuestion && last === undefined ? undefined : "yes";
}

/** The words that are not part of an answer. */
export function afterYesNo(tokens: readonly string[]): readonly string[] {
  return meantAnswer(tokens).filter((token) => !isAnswerWord(token));
}

const interjections = new Set(["no", "nope", "nah"]);

/**
 * "No thank you, I want my balance" without the answer at its beginning. A "not" in the remaining words is preserved, because "I would not
 * do that" without it means the opposite.
 */
export function withoutLeadingAnswer(said: readonly string[]): readonly string[] {
  const tokens = meantAnswer(said);
  const start = tokens.findIndex((token) => !interjections.has(token) && !affirmative.has(token) && !polite.has(token));
  return start === -1 ? [] : tokens.slice(start);
}

/** The words begin with a yes and continue with something else: "yes, and send me a new one". */
export function beginsWithYes(tokens: readonly string[]): boolean {
  const [first = ""] = meantAnswer(tokens);
  return affirmative.has(first) && !weak.has(first);
}

const conditions = new Set([
  "but",
  "if",
  "what",
  "what's",
  "how",
  "why",
  "when",
  "who",
  "where",
  "which",
  "unless",
  "wait",
]);
const delays = ["hold on", "hang on", "one moment", "just a moment", "one second", "just a second"];

/** "Yes, but what does it cost?" and "yes, wait" are not a yes that can be acted on. */
export function isConditional(said: readonly string[]): boolean {
  const tokens = meantAnswer(said);
  return tokens.some(
    (token, at) =>
      (conditions.has(token) && tokens[at + 1] !== "not") || delays.some((phrase) => isAt(phrase, tokens, at)),
  );
}

/** "Yes, no, wait, no": people correct a yes or a no in the same breath, and mean what they say last. */
const repairs = ["wait", "hold on", "hang on", "sorry", "actually", "i mean", "i meant", "correction", "scratch that"];
const hesitations = new Set(["um", "uh", "er", "ah", "oh", "hmm", "well"]);

/** The answer that remains if only answers were taken back; otherwise all the words. */
function meantAnswer(tokens: readonly string[]): readonly string[] {
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
