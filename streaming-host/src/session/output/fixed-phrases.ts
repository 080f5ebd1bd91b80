/** The service's own sentences, in the language of the agent that speaks them. The same sentence is never spoken twice in a row. */
import type { Choices, Sentences } from "@voice/shared/languages/sentences";

const kinds = [
  "reprompt",
  "apology",
  "regret",
  "regret-hold",
  "regret-keys",
  "resumption",
  "patience",
  "farewell",
  "closing",
] as const;

/** Replies in the service's own sentences. */
type FixedReplyKind = (typeof kinds)[number];

/** Phrases for failures. They must not depend on what may have failed, so they are synthesised in advance. */
export function fallbackPhrases({ apology, farewell, done, askAgain, outcomeUnknown }: Sentences): readonly string[] {
  return [...apology, ...farewell, done, askAgain, outcomeUnknown];
}

export function everyPhrase(sentences: Sentences): readonly string[] {
  return kinds.flatMap((kind) => sentences[kind]);
}

/** Cycles through the phrases within one session, separately for each kind. */
export class FixedPhrases {
  readonly #spoken: { [kind in FixedReplyKind | "filler"]?: number } = {};

  next(kind: FixedReplyKind, sentences: Sentences): string {
    return this.#next(kind, sentences[kind]);
  }

  /** FILL-1: one of the agent's own phrases, or of the service's if the agent has none. */
  nextFiller(own: readonly string[], { fillers }: Sentences): string {
    return this.#next("filler", isChoices(own) ? own : fillers);
  }

  #next(kind: FixedReplyKind | "filler", choices: Choices): string {
    const count = this.#spoken[kind] ?? 0;
    this.#spoken[kind] = count + 1;
    return choices[count % choices.length] ?? choices[0];
  }
}

function isChoices(phrases: readonly string[]): phrases is Choices {
  return phrases.length > 0;
}
