/** Caches the grammars of recent hints, so that a handoff back to an earlier agent costs nothing. */
import { RecentlyUsed } from "@voice/shared/platform/recently-used";
import type { RecognitionHints, SentenceState } from "@voice/provider-kit/ports/recogniser";
import { buildGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";
import { createSentenceGraph } from "./sentence-graph.ts";
import type { SentenceGraph } from "./sentence-graph.ts";

/**
 * An agent of the built-in catalog takes 200,000 for each kind of answer that it awaits; the largest that a client may define takes
 * 700,000, and 5 MB of memory.
 */
const maxGrammarCharacters = 10_000_000;

export class GrammarCache {
  readonly #grammars = new RecentlyUsed<Grammar>(maxGrammarCharacters);
  /** Sentence graphs are evicted together with their grammar. */
  readonly #graphs = new WeakMap<Grammar, SentenceGraph>();

  grammarFor(hints: RecognitionHints): Grammar {
    // An awaited greeting does not change the grammar, only the interpretation of a number.
    const awaits = hints.awaits?.type === "digits" ? hints.awaits : undefined;
    const key = JSON.stringify([hints.examples, hints.phrases, awaits]);
    const known = this.#grammars.get(key);
    if (known !== undefined) return known;
    const grammar = buildGrammar(hints);
    this.#graphs.set(grammar, createSentenceGraph(hints));
    this.#grammars.set(key, grammar, key.length + grammar.fsg.length);
    return grammar;
  }

  /** How a text relates to the sentences from which the grammar was built. */
  sentenceState(grammar: Grammar, text: string): SentenceState | undefined {
    return this.#graphs.get(grammar)?.stateOf(text);
  }
}
