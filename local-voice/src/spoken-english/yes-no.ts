/** Yes and no: the sentences that a recogniser listens for, and the interpretation of what was said. */

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

const negative = new Set([
  "no",
  "nope",
  "nah",
  "not",
  "don't",
  "dont",
  "cancel",
  "never",
  "stop",
  "wrong",
  "negative",
  "later",
]);
const affirmative = new Set([
  "yes",
  "yeah",
  "yep",
  "yup",
  "sure",
  "correct",
  "right",
  "ok",
  "okay",
  "absolutely",
  "definitely",
  "confirm",
  "confirmed",
  "please",
  "exactly",
]);
/** Words of yes that also occur in questions: "how much is it please", "is that right". */
const weak = new Set(["please", "ok", "okay", "right", "correct", "sure", "confirm"]);
const affirmativePhrases = [
  "go ahead",
  "go for it",
  "do it",
  "do that",
  "sounds good",
  "sounds right",
  "that's it",
  "why not",
  "no problem",
];
/** Contains the words of a yes or a no, but is neither. */
const undecidedPhrases = ["not sure", "don't know", "do not know", "no idea", "not certain"];
const questionWords = new Set(
  "what what's how when who where which if is are does do did can could will would have has".split(" "),
);

/** Undefined if the words are neither. */
export function readYesNo(tokens: readonly string[]): "yes" | "no" | undefined {
  const has = (phrases: readonly string[]): boolean => {
    const text = ` ${tokens.join(" ")} `;
    return phrases.some((phrase) => text.includes(` ${phrase} `));
  };
  if (has(undecidedPhrases)) return undefined;
  if (has(affirmativePhrases)) return "yes";
  if (tokens.some((token) => negative.has(token))) return "no";
  if (!tokens.some((token) => affirmative.has(token))) return undefined;
  const isQuestion = questionWords.has(tokens[0] ?? "");
  return isQuestion && tokens.every((token) => weak.has(token) || !affirmative.has(token)) ? undefined : "yes";
}

const polite = new Set(["thank", "thanks", "you"]);

/** The rest of "no thank you i want my balance" without the answer at its beginning. */
export function afterYesNo(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => !negative.has(token) && !affirmative.has(token) && !polite.has(token));
}

/** The words begin with a yes and go on with something else: "yes, and send me a new one". */
export function beginsWithYes(tokens: readonly string[]): boolean {
  const [first = ""] = tokens;
  return affirmative.has(first) && !weak.has(first);
}

const conditions = new Set(["but", "if", "what", "what's", "how", "why", "when", "who", "where", "which", "unless"]);

/** "Yes, but what does it cost?" is not a yes to act upon. */
export function isConditional(tokens: readonly string[]): boolean {
  return tokens.some((token, at) => conditions.has(token) && tokens[at + 1] !== "not");
}
