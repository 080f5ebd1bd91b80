/** The words that make up answers to a yes-or-no question. */
export const negative = new Set([
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
export const affirmative = new Set([
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
export const weak = new Set(["please", "ok", "okay", "right", "correct", "sure", "confirm"]);
export const polite = new Set(["thank", "thanks", "you"]);

/** Whether this word can be part of an answer, or of the thanks that come with it. */
export function isAnswerWord(token: string): boolean {
  return negative.has(token) || affirmative.has(token) || polite.has(token);
}
