/** The service's own sentences, in the language of the agent that speaks them. The same sentence is never spoken twice in a row. */
import type { Sentences } from "@voice/shared/languages/sentences";
import type { ReplyKind } from "../turn/turn-effects.ts";

export type FixedReplyKind = Exclude<
  ReplyKind,
  "answer" | "announcement" | "clarification" | "greeting" | "line" | "message" | "replacement" | "return"
>;

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
] as const satisfies readonly FixedReplyKind[];

/** Phrases for failures. They must not depend on what may have failed, so they are synthesised in advance. */
export function fallbackPhrases({ apology, farewell, done, askAgain, outcomeUnknown }: Sentences): readonly string[] {
  return [...apology, ...farewell, done, askAgain, outcomeUnknown];
}

export function everyPhrase(sentences: Sentences): readonly string[] {
  return kinds.flatMap((kind) => sentences[kind]);
}

/** Cycles through the phrases within one session, separately for each kind. */
export class FixedPhrases {
  readonly #said: { [kind in FixedReplyKind]?: number } = {};

  next(kind: FixedReplyKind, sentences: Sentences): string {
    const choices = sentences[kind];
    const count = this.#said[kind] ?? 0;
    this.#said[kind] = count + 1;
    return choices[count % choices.length] ?? choices[0];
  }
}
