/** Incomplete answers of a model, and what the caller is told then (MODEL-1 to MODEL-3). */
import type { Sentences } from "@voice/shared/languages/sentences";

export type AnswerCut =
  /** The token limit was reached. */
  | "length"
  /** The content filter stopped the answer after some of it was said. */
  | "filtered-answer"
  /** The content filter refused the request: nothing was said. */
  | "filtered-prompt";

export function wordsAfterCut(cut: AnswerCut, sentences: Sentences): string {
  switch (cut) {
    case "length":
      return sentences.cutByLength;
    case "filtered-answer":
      return sentences.cutByFilter;
    case "filtered-prompt":
      return sentences.refusedByFilter;
  }
}
