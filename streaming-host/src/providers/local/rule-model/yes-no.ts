/** The answer to a yes-or-no question, where it is one. */
const negative = new Set(["no", "nope", "nah", "not", "don't", "dont", "cancel", "never", "stop", "wrong", "negative"]);
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
const affirmativePhrases = ["go ahead", "do it", "do that", "sounds good", "that's it"];

export function readYesNo(tokens: readonly string[]): "yes" | "no" | undefined {
  if (tokens.some((token) => negative.has(token))) return "no";
  const text = ` ${tokens.join(" ")} `;
  const agrees =
    tokens.some((token) => affirmative.has(token)) || affirmativePhrases.some((phrase) => text.includes(` ${phrase} `));
  return agrees ? "yes" : undefined;
}

const polite = new Set(["thank", "thanks", "you"]);

/** What is left of "no thank you i want my balance" once the answer is taken off. */
export function afterYesNo(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => !negative.has(token) && !affirmative.has(token) && !polite.has(token));
}
