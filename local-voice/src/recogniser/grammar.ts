/**
 * What a caller may say, built from an agent's example sentences. Four paths compete for every segment:
 * - sentences: the examples with open slots and the usual words around them; exact, and rejects well;
 * - mixtures: a bigram of the examples' words, for sentences that are not listed but consist of their parts;
 * - always: slot values alone, spelling, yes, no, stop, repeat, …;
 * - garbage: a loop over all phones, which wins if none of the others fits. A segment that it wins has no text.
 */
import type { AwaitedAnswer, RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import { awaitedDigits } from "./awaited-digits.ts";
import { parseExamples, spokenForm } from "./examples.ts";
import type { ChoiceToken, ExampleToken, SlotToken } from "./examples.ts";
import { afterJoint, closers, joint, openers, steering } from "./everyday-words.ts";
import { createFsgBuilder } from "./fsg.ts";
import type { FsgBuilder } from "./fsg.ts";
import { networkBegin, networkEnd, sentenceNetwork } from "./sentence-network.ts";
import { amount, date, digitString, number, sequence, slotKey, slotLayer, spelling } from "./slots.ts";

export interface Grammar {
  readonly fsg: string;
  readonly vocabulary: ReadonlySet<string>;
  /**
   * Searched with a wide beam and without pauses between words: the utterance is already complete, so the search need
   * not keep up with speech.
   */
  readonly isThorough?: boolean;
  /** Thorough, but with pauses between words, as people make them between the digits of a code. */
  readonly hasPauses?: boolean;
  /** For a second opinion on a grammar that competes with noise: only its whole sentences. */
  readonly sentences?: Grammar;
  /** The same with two sentences in one breath. That search is wider, and in noise it finds fewer single sentences. */
  readonly joinedSentences?: Grammar;
}

/**
 * Penalties rather than probabilities that sum to one: the penalty of an alternative must not depend on how many others there are, or the
 * word "no" would never win in a large catalog.
 * The defaults were found by measurement with a bank's 30 examples and synthetic voices: 50 of 57 sentences of the grammar are exact (most
 * of the rest are spelled letters and "oh" for "zero"), 7 of 10 new mixtures are exact, 22 of 24 foreign sentences are rejected, and of 76
 * damaged recordings 6 gave a short word and none a sentence. The penalty of a garbage phone is a compromise that `npm run bench:hearing`
 * shows: if it is higher, spelled letters and mixtures begin to explain foreign sentences. `second-opinion.ts` recovers what is wrongly
 * rejected.
 */
export interface GrammarWeights {
  /** The penalty of each example. */
  readonly sentence: number;
  /** The penalty of each sentence that every agent understands. */
  readonly steering: number;
  /** The penalty of a value on its own: a number, a date, spelling. */
  readonly value: number;
  /**
   * The penalty of the value that the agent has asked for. Other kinds of values are then left out, so that "eight" is
   * not taken for the letter.
   */
  readonly awaited: number;
  readonly mixture: number;
  /** The penalty of additions around a sentence: "um", "please". */
  readonly courtesy: number;
  /** The penalty of continuing with another sentence in the same breath: "and", "and also". */
  readonly joined: number;
  /** The penalty of a word after one that it never follows in the examples. */
  readonly backoff: number;
  /**
   * The penalty of the garbage path. It is applied at the end: at the start, the path would fall out of the search beam
   * before it is compared.
   */
  readonly garbage: number;
  /**
   * The weight of each phone in the garbage loop. The higher it is, the sooner speech that only resembles the grammar
   * is rejected.
   */
  readonly phone: number;
}

export const defaultWeights: GrammarWeights = {
  sentence: 0.1,
  steering: 0.1,
  value: 0.1,
  awaited: 1,
  mixture: 0.01,
  courtesy: 0.02,
  joined: 0.01,
  backoff: 0.05,
  garbage: 2e-3,
  phone: 0.2,
};

const phones =
  "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH".split(" ");

/** Words of the garbage loop with their one-phone pronunciations. They are in no dictionary, so no text can contain them. */
export const garbageWords: readonly (readonly [word: string, pronunciation: string])[] = phones.map((phone) => [
  `gb${phone.toLowerCase()}`,
  phone,
]);
const garbage = garbageWords.map(([word]) => word);

/** Removes the garbage words from the recogniser's hypothesis. */
export function withoutGarbage(hypothesis: string): string {
  return hypothesis
    .split(/\s+/)
    .filter((word) => word !== "" && !garbage.includes(word))
    .join(" ");
}

export function buildGrammar(hints: RecognitionHints, weights: GrammarWeights = defaultWeights): Grammar {
  const fsg = createFsgBuilder();
  const examples = parseExamples(hints.examples);
  const phrases = hints.phrases.map(spokenForm).filter((words) => words.length > 0);

  addSentences(fsg, examples, phrases, weights);
  addMixtures(fsg, examples, phrases, weights);
  addAlways(fsg, phrases, hints.awaits, weights);
  addGarbage(fsg, weights);
  const vocabulary = new Set(fsg.vocabulary());
  for (const word of garbage) vocabulary.delete(word);
  let sentences: Grammar | undefined;
  let joinedSentences: Grammar | undefined;
  return {
    fsg: fsg.text(),
    vocabulary,
    get sentences() {
      return (sentences ??= buildSentences(examples, phrases, { ...weights, joined: 0 }));
    },
    get joinedSentences() {
      return (joinedSentences ??= buildSentences(examples, phrases, weights));
    },
  };
}

/**
 * Only whole sentences, without mixtures, single values or garbage: finds the best one, however badly it fits. Courtesies cost more here
 * than in the first search, because half of the foreign sentences that were wrongly accepted had been matched with a "please" or a "thank
 * you".
 */
function buildSentences(
  examples: readonly (readonly ExampleToken[])[],
  phrases: readonly (readonly string[])[],
  weights: GrammarWeights,
): Grammar {
  const fsg = createFsgBuilder();
  addSentences(fsg, examples, phrases, { ...weights, courtesy: 1e-6 });
  addSteering(fsg, fsg.start, weights);
  return { fsg: fsg.text(), vocabulary: new Set(fsg.vocabulary()), isThorough: true };
}

/** Accepts these words only, to see how well they fit. */
export function wordsGrammar(text: string): Grammar {
  const fsg = createFsgBuilder();
  sequence(fsg, fsg.start, fsg.end, 1, text.split(" "));
  return { fsg: fsg.text(), vocabulary: new Set(fsg.vocabulary()), isThorough: true };
}

/** Accepts one of these words only. The penalty of each is that of a steering word among three. */
export function oneOf(words: readonly string[]): Grammar {
  const fsg = createFsgBuilder();
  for (const word of words) fsg.arc(fsg.start, fsg.end, defaultWeights.steering / 3, word);
  return { fsg: fsg.text(), vocabulary: new Set(fsg.vocabulary()), isThorough: true };
}

/** Any sequence of phones: the baseline with which a sentence is compared. */
export const soundGrammar: Grammar = buildSounds();

function buildSounds(): Grammar {
  const fsg = createFsgBuilder();
  addGarbage(fsg, { ...defaultWeights, garbage: 1 });
  return { fsg: fsg.text(), vocabulary: new Set(), isThorough: true };
}

function addSentences(
  fsg: FsgBuilder,
  examples: readonly (readonly ExampleToken[])[],
  phrases: readonly (readonly string[])[],
  weights: GrammarWeights,
): void {
  if (examples.length === 0) return;
  const laySlot = slotLayer(fsg, phrases);
  const begin = fsg.state();
  const end = fsg.state();
  // An opener, a short example and a closer together would match too much that was never said.
  fsg.arc(fsg.start, begin, 1);
  fsg.words(fsg.start, begin, weights.courtesy, openers);
  fsg.arc(end, fsg.end, 1);
  fsg.words(end, fsg.end, weights.courtesy, closers);
  sequence(fsg, end, fsg.end, weights.courtesy / 2, ["thank", "you"]);
  // Returns to the beginning rather than to a copy of all sentences, which would double the size of the grammar.
  if (weights.joined > 0) {
    const joined = fsg.state();
    fsg.arc(end, joined, weights.joined, joint);
    fsg.arc(joined, begin, 1);
    fsg.words(joined, begin, 1, afterJoint);
  }

  const states = new Map([
    [networkBegin, begin],
    [networkEnd, end],
  ]);
  const stateOf = (place: string): number => {
    const state = states.get(place) ?? fsg.state();
    states.set(place, state);
    return state;
  };
  for (const { from, to, token } of sentenceNetwork(examples)) {
    const share = from === networkBegin ? weights.sentence : 1;
    if (token === undefined) fsg.arc(stateOf(from), stateOf(to), share);
    else if (token.type === "word") fsg.arc(stateOf(from), stateOf(to), share, token.word);
    else laySlot(token, stateOf(from), stateOf(to), share);
  }
}

/** What people say before the value that they were asked for. */
const carriers = [["it", "is"], ["it's"], ["that", "is"], ["yes"], ["sure"], ["okay"]];

type MixedToken = Exclude<ExampleToken, ChoiceToken>;

/** Marks the sentence's boundaries in the bigram; no word is spelled like this. */
const sentenceEdge = "";

function addMixtures(
  fsg: FsgBuilder,
  examples: readonly (readonly ExampleToken[])[],
  phrases: readonly (readonly string[])[],
  weights: GrammarWeights,
): void {
  // Choices are left to the network of the sentences, which puts them together only as examples do.
  const followers = countFollowers(examples.flatMap(partsWithoutChoices));
  if (followers.size === 0) return;
  const slots = new Map(
    examples
      .flat()
      .flatMap((token): [string, SlotToken | ChoiceToken][] =>
        token.type === "word" ? [] : [[slotKey(token), token]],
      ),
  );
  const laySlot = slotLayer(fsg, phrases);
  // One state per preceding word, and a backoff state without one. Slots count as words here.
  const states = new Map([...followers.keys()].map((word) => [word, fsg.state()]));
  const any = fsg.state();
  const edge = states.get(sentenceEdge) ?? any;
  fsg.arc(fsg.start, edge, weights.mixture);

  const say = (from: number, word: string, share: number): void => {
    const to = states.get(word) ?? any;
    const slot = slots.get(word);
    if (word === sentenceEdge) fsg.arc(from, fsg.end, share);
    else if (slot !== undefined) laySlot(slot, from, to, share);
    else fsg.arc(from, to, share, word);
  };

  for (const [word, next] of followers) {
    const from = states.get(word) ?? any;
    const total = [...next.values()].reduce((sum, count) => sum + count, 0);
    for (const [follower, count] of next) say(from, follower, ((1 - weights.backoff) * count) / total);
    fsg.arc(from, any, weights.backoff);
  }
  const spoken = [...followers.keys()].filter((word) => word !== sentenceEdge);
  for (const word of spoken) say(any, word, 1 / (spoken.length + 1));
  fsg.arc(any, fsg.end, 1 / (spoken.length + 1));
}

function partsWithoutChoices(tokens: readonly ExampleToken[]): readonly (readonly MixedToken[])[] {
  const parts: MixedToken[][] = [[]];
  for (const token of tokens) {
    if (token.type === "choice") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

function countFollowers(examples: readonly (readonly MixedToken[])[]): Map<string, Map<string, number>> {
  const followers = new Map<string, Map<string, number>>();
  for (const tokens of examples) {
    const words = [
      sentenceEdge,
      ...tokens.map((token) => (token.type === "word" ? token.word : slotKey(token))),
      sentenceEdge,
    ];
    for (let index = 0; index + 1 < words.length; index++) {
      const [word = sentenceEdge, next = sentenceEdge] = words.slice(index, index + 2);
      const counts = followers.get(word) ?? new Map<string, number>();
      followers.set(word, counts.set(next, (counts.get(next) ?? 0) + 1));
    }
  }
  return followers;
}

function addAlways(
  fsg: FsgBuilder,
  phrases: readonly (readonly string[])[],
  awaits: AwaitedAnswer | undefined,
  weights: GrammarWeights,
): void {
  const begin = fsg.state();
  const end = fsg.state();
  fsg.arc(fsg.start, begin, 1);
  fsg.words(fsg.start, begin, 0.02, ["um", "uh"]);
  fsg.arc(end, fsg.end, 1);
  fsg.arc(end, fsg.end, 0.01, "please");
  addSteering(fsg, begin, weights);
  for (const phrase of phrases) sequence(fsg, begin, end, weights.value, phrase);
  if (awaits?.type !== "digits") {
    for (const network of [digitString, amount, number, date, spelling]) network(fsg, begin, end, weights.value);
    return;
  }
  for (const words of carriers) sequence(fsg, fsg.start, begin, 0.02, words);
  awaitedDigits(fsg, begin, end, weights.awaited, awaits);
}

function addSteering(fsg: FsgBuilder, from: number, weights: GrammarWeights): void {
  for (const sentence of steering) sequence(fsg, from, fsg.end, weights.steering, spokenForm(sentence));
}

function addGarbage(fsg: FsgBuilder, weights: GrammarWeights): void {
  const inside = fsg.state();
  for (const phone of garbage) {
    fsg.arc(fsg.start, inside, weights.phone, phone);
    fsg.arc(inside, inside, weights.phone, phone);
  }
  fsg.arc(inside, fsg.end, weights.garbage);
}
