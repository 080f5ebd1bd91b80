/** Sphinx's finite state grammar, as text: numbered states, arcs with a probability and perhaps a word. */

export interface FsgBuilder {
  readonly start: number;
  readonly end: number;
  state(): number;
  /** An arc without a word is an epsilon transition. */
  arc(from: number, to: number, probability: number, word?: string): void;
  /** One arc per word, sharing the probability. */
  words(from: number, to: number, probability: number, words: readonly string[]): void;
  vocabulary(): ReadonlySet<string>;
  text(): string;
}

export function createFsgBuilder(): FsgBuilder {
  const arcs: string[] = [];
  const vocabulary = new Set<string>();
  let states = 2;

  const arc = (from: number, to: number, probability: number, word = ""): void => {
    if (word !== "") vocabulary.add(word);
    arcs.push(`TRANSITION ${from} ${to} ${probability.toPrecision(6)} ${word}`);
  };
  return {
    start: 0,
    end: 1,
    state: () => states++,
    arc,
    words(from, to, probability, words) {
      for (const word of words) arc(from, to, probability / words.length, word);
    },
    vocabulary: () => vocabulary,
    text: () =>
      ["FSG_BEGIN caller", `NUM_STATES ${states}`, "START_STATE 0", "FINAL_STATE 1", ...arcs, "FSG_END", ""].join("\n"),
  };
}
