/** An answer that the model did not bring to its end, and what the caller is told then (MODEL-1 to MODEL-3). */

export type AnswerCut =
  /** The token limit was reached. */
  | "length"
  /** The content filter stopped the answer after some of it was said. */
  | "filtered-answer"
  /** The content filter refused the request: nothing was said. */
  | "filtered-prompt";

export const wordsAfterCut: Readonly<Record<AnswerCut, string>> = {
  length: "That is not all of it. Shall I go on?",
  "filtered-answer": "I am sorry, I cannot say more about that. What else can I do for you?",
  "filtered-prompt": "I am sorry, I cannot talk about that. What else can I do for you?",
};
