/** Responses that a model did not complete, and what the agent says then (MODEL-1 to MODEL-3). */
import type { Sentences } from "@voice/shared/languages/sentences";

export type AnswerCut =
  /** The token limit was reached. */
  | "length"
  /** The content filter stopped the response after a part of it was spoken. */
  | "filtered-answer"
  /** The content filter rejected the request, so nothing was spoken. */
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
