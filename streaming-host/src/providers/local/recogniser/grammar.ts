/**
 * What a caller may say, built from an agent's example sentences. Four ways through it compete on every segment:
 *   sentences  the examples as they stand, slots open, with the usual words around them: exact, and rejects well;
 *   mixtures   a bigram of the examples' words, for sentences that nobody listed but that are made of their parts;
 *   always     slot values alone, spelling, yes, no, stop, repeat, …;
 *   garbage    a loop over all phones, which wins when none of the others fits. A segment that it wins has no text.
 */
import { parseExample, spokenForm } from "./examples.ts";
import type { ExampleToken } from "./examples.ts";
import { createFsgBuilder } from "./fsg.ts";
import type { FsgBuilder } from "./fsg.ts";
import { amount, date, digitString, number, phraseNetwork, sequence, slotNetworks, spelling } from "./slots.ts";
import { closers, openers, steering } from "./spoken-words.ts";

export interface Grammar {
  readonly fsg: string;
  readonly vocabulary: ReadonlySet<string>;
}

export interface GrammarHints {
  readonly examples: readonly string[];
  readonly phrases: readonly string[];
}

export interface GrammarWeights {
  readonly sentences: number;
  readonly mixtures: number;
  readonly always: number;
  readonly garbage: number;
  /** Of each phone of the garbage loop. The higher, the sooner speech that only resembles the grammar is rejected. */
  readonly phone: number;
}

export const defaultWeights: GrammarWeights = {
  sentences: 0.5,
  mixtures: 0.005,
  always: 0.2,
  garbage: 1e-3,
  phone: 0.3,
};

const phones =
  "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH".split(" ");

/** Words of the garbage loop with their one-phone pronunciations. No dictionary has them, so no text can. */
export const garbageWords: readonly (readonly [word: string, pronunciation: string])[] = phones.map((phone) => [
  `gb${phone.toLowerCase()}`,
  phone,
]);
const garbage = garbageWords.map(([word]) => word);

/** The recogniser's hypothesis without the garbage. */
export function withoutGarbage(hypothesis: string): string {
  return hypothesis
    .split(/\s+/)
    .filter((word) => word !== "" && !garbage.includes(word))
    .join(" ");
}

export function buildGrammar(hints: GrammarHints, weights: GrammarWeights = defaultWeights): Grammar {
  const fsg = createFsgBuilder();
  const examples = hints.examples.map(parseExample).filter((tokens) => tokens.length > 0);
  const phrases = hints.phrases.map(spokenForm).filter((words) => words.length > 0);

  addSentences(fsg, examples, phrases, weights.sentences);
  addMixtures(fsg, examples, phrases, weights.mixtures);
  addAlways(fsg, phrases, weights.always);
  addGarbage(fsg, weights);
  const vocabulary = new Set(fsg.vocabulary());
  for (const word of garbage) vocabulary.delete(word);
  return { fsg: fsg.text(), vocabulary };
}

function addSentences(
  fsg: FsgBuilder,
  examples: readonly (readonly ExampleToken[])[],
  phrases: readonly (readonly string[])[],
  probability: number,
): void {
  if (examples.length === 0) return;
  const slots = slotNetworks(phrases);
  const begin = fsg.state();
  const end = fsg.state();
  fsg.arc(fsg.start, begin, probability * 0.8);
  fsg.words(fsg.start, begin, probability * 0.2, openers);
  fsg.arc(end, fsg.end, 0.8);
  fsg.words(end, fsg.end, 0.1, closers);
  sequence(fsg, end, fsg.end, 0.1, ["thank", "you"]);

  for (const tokens of examples) {
    let at = begin;
    for (const [index, token] of tokens.entries()) {
      const next = index === tokens.length - 1 ? end : fsg.state();
      const share = index === 0 ? 1 / examples.length : 1;
      if (token.type === "word") fsg.arc(at, next, share, token.word);
      else slots[token.slot](fsg, at, next, share);
      at = next;
    }
  }
}

/** Marks the sentence's ends in the bigram; no word is spelled like this. */
const EDGE = "";
const BACKOFF = 0.3;

function addMixtures(
  fsg: FsgBuilder,
  examples: readonly (readonly ExampleToken[])[],
  phrases: readonly (readonly string[])[],
  probability: number,
): void {
  const followers = countFollowers(examples);
  if (followers.size === 0) return;
  const slots = slotNetworks(phrases);
  // One state per word for what was just said, and one that forgets it. Slots are words of their own here.
  const states = new Map([...followers.keys()].map((word) => [word, word === EDGE ? fsg.state() : fsg.state()]));
  const any = fsg.state();
  const edge = states.get(EDGE) ?? any;
  fsg.arc(fsg.start, edge, probability);

  const say = (from: number, word: string, share: number): void => {
    const to = states.get(word) ?? any;
    if (word === EDGE) fsg.arc(from, fsg.end, share);
    else if (word.startsWith("{")) slots[slotOf(word)](fsg, from, to, share);
    else fsg.arc(from, to, share, word);
  };

  for (const [word, next] of followers) {
    const from = states.get(word) ?? any;
    const total = [...next.values()].reduce((sum, count) => sum + count, 0);
    for (const [follower, count] of next) say(from, follower, ((1 - BACKOFF) * count) / total);
    fsg.arc(from, any, BACKOFF);
  }
  const spoken = [...followers.keys()].filter((word) => word !== EDGE);
  for (const word of spoken) say(any, word, 1 / (spoken.length + 1));
  fsg.arc(any, fsg.end, 1 / (spoken.length + 1));
}

function countFollowers(examples: readonly (readonly ExampleToken[])[]): Map<string, Map<string, number>> {
  const followers = new Map<string, Map<string, number>>();
  for (const tokens of examples) {
    const words = [EDGE, ...tokens.map((token) => (token.type === "word" ? token.word : `{${token.slot}`)), EDGE];
    for (let index = 0; index + 1 < words.length; index++) {
      const [word = EDGE, next = EDGE] = words.slice(index, index + 2);
      const counts = followers.get(word) ?? new Map<string, number>();
      followers.set(word, counts.set(next, (counts.get(next) ?? 0) + 1));
    }
  }
  return followers;
}

function slotOf(
  word: string,
): ExampleToken extends infer Token ? (Token extends { slot: infer Slot } ? Slot : never) : never {
  const slot = word.slice(1);
  return slot === "digits" || slot === "number" || slot === "amount" || slot === "date" ? slot : "phrase";
}

function addAlways(fsg: FsgBuilder, phrases: readonly (readonly string[])[], probability: number): void {
  const begin = fsg.state();
  const end = fsg.state();
  fsg.arc(fsg.start, begin, probability * 0.8);
  fsg.words(fsg.start, begin, probability * 0.2, openers);
  fsg.arc(end, fsg.end, 0.8);
  fsg.words(end, fsg.end, 0.2, closers);
  phraseNetwork(steering.map(spokenForm))(fsg, begin, end, 0.35);
  digitString(fsg, begin, end, 0.25);
  amount(fsg, begin, end, 0.15);
  number(fsg, begin, end, 0.05);
  date(fsg, begin, end, 0.1);
  spelling(fsg, begin, end, 0.05);
  if (phrases.length > 0) phraseNetwork(phrases)(fsg, begin, end, 0.05);
}

function addGarbage(fsg: FsgBuilder, weights: GrammarWeights): void {
  const inside = fsg.state();
  for (const phone of garbage) {
    fsg.arc(fsg.start, inside, weights.garbage, phone);
    fsg.arc(inside, inside, weights.phone, phone);
  }
  fsg.arc(inside, fsg.end, 1);
}
