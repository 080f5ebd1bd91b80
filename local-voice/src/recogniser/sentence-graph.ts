/**
 * Tells whether words are a whole sentence of the grammar or the beginning of one. The decoder cannot: its grammar has
 * a path for any mixture of the examples, so every word could be the last.
 */
import type { RecognitionHints, SentenceState } from "@voice/provider-kit/ports/recogniser";
import { closers, joint } from "./everyday-words.ts";
import { buildGrammar, defaultWeights } from "./grammar.ts";

export interface SentenceGraph {
  /** Undefined if the words are neither an expected sentence nor the beginning of one. */
  stateOf(text: string): SentenceState | undefined;
}

interface Arc {
  readonly to: number;
  readonly word: string;
}

const startState = 0;
const finalState = 1;
/** Words that may be added to any sentence, so nobody waits for them. */
const additions: ReadonlySet<string> = new Set([...closers, "thank", joint]);

export function createSentenceGraph(hints: RecognitionHints): SentenceGraph {
  const arcs = readArcs(buildGrammar(hints, { ...defaultWeights, mixture: 0, garbage: 0, phone: 0 }).fsg);

  const withSilentArcs = (states: Set<number>): Set<number> => {
    for (const state of states) for (const { word, to } of arcs.get(state) ?? []) if (word === "") states.add(to);
    return states;
  };
  const after = (states: ReadonlySet<number>, said: string): Set<number> => {
    const next = new Set<number>();
    for (const state of states) for (const { word, to } of arcs.get(state) ?? []) if (word === said) next.add(to);
    return withSilentArcs(next);
  };

  return {
    stateOf(text) {
      if (text === "") return undefined;
      let states = withSilentArcs(new Set([startState]));
      for (const word of text.split(" ")) states = after(states, word);
      if (states.size === 0) return undefined;
      if (!states.has(finalState)) return "beginning";
      const mayGoOn = [...states].some((state) =>
        (arcs.get(state) ?? []).some(({ word }) => word !== "" && !additions.has(word)),
      );
      return mayGoOn ? "whole-so-far" : "whole";
    },
  };
}

function readArcs(fsg: string): Map<number, Arc[]> {
  const arcs = new Map<number, Arc[]>();
  for (const [, from, to, price, word = ""] of fsg.matchAll(/^TRANSITION (\d+) (\d+) (\S+) ?(\S*)$/gm)) {
    if (Number(price) === 0) continue;
    const list = arcs.get(Number(from)) ?? [];
    list.push({ to: Number(to), word });
    arcs.set(Number(from), list);
  }
  return arcs;
}
