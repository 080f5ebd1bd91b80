/** What the service itself has to say, in the language of whoever says it. Never the same sentence twice in a row. */
import type { Sentences } from "@voice/shared/languages/sentences";
import type { ReplyKind } from "../turn/turn-effects.ts";

export type FixedReplyKind = Exclude<
  ReplyKind,
  "answer" | "announcement" | "clarification" | "greeting" | "line" | "message" | "replacement"
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

/** What is said when something has failed. It must not need what may have failed: the synthesiser makes it ahead of time. */
export function fallbackPhrases({ apology, farewell }: Sentences): readonly string[] {
  return [...apology, ...farewell];
}

export function everyPhrase(sentences: Sentences): readonly string[] {
  return kinds.flatMap((kind) => sentences[kind]);
}

/** The phrases of one session, each kind in turn. */
export class FixedPhrases {
  readonly #said = new Map<FixedReplyKind, number>();

  next(kind: FixedReplyKind, sentences: Sentences): string {
    const choices = sentences[kind];
    const count = this.#said.get(kind) ?? 0;
    this.#said.set(kind, count + 1);
    return choices[count % choices.length] ?? choices[0];
  }
}
