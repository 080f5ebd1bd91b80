/** The grammars of past hints: a handover back to an agent costs nothing. */
import type { RecognitionHints, SentenceState } from "@voice/provider-kit/ports/recogniser";
import { buildGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";
import { createSentenceGraph } from "./sentence-graph.ts";
import type { SentenceGraph } from "./sentence-graph.ts";

/** Every agent of a deployment has one. */
const MAX_GRAMMARS = 64;

export class GrammarCache {
  /** Least recently used first. */
  readonly #grammars = new Map<string, Grammar>();
  /** Forgotten with their grammar. */
  readonly #graphs = new WeakMap<Grammar, SentenceGraph>();

  grammarFor(hints: RecognitionHints): Grammar {
    const key = JSON.stringify([hints.examples, hints.phrases, hints.awaits]);
    const grammar = this.#grammars.get(key) ?? buildGrammar(hints);
    if (!this.#graphs.has(grammar)) this.#graphs.set(grammar, createSentenceGraph(hints));
    this.#grammars.delete(key);
    this.#grammars.set(key, grammar);
    const [oldest] = this.#grammars.keys();
    if (this.#grammars.size > MAX_GRAMMARS && oldest !== undefined) this.#grammars.delete(oldest);
    return grammar;
  }

  /** How a text stands to the sentences that the grammar was made of. */
  sentenceState(grammar: Grammar, text: string): SentenceState | undefined {
    return this.#graphs.get(grammar)?.stateOf(text);
  }
}
