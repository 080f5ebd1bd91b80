/**
 * The sentence of an agent's words that somebody has most probably said, and how sure each of its values is: looked for where what was
 * written freely has words that the agent has nowhere, or that only sound like its values. Pure. Decision 081.
 */
import { stopWords } from "../rule-model/vocabulary.ts";
import { findKnownTexts, otherPrice } from "./known-texts.ts";
import type { KnownWords } from "./known-texts.ts";
import type { KnownValues, Menu, Reading } from "./known-values.ts";
import type { Expectation } from "./moonshine-decoder.ts";
import { logSum } from "./spoken-code.ts";
import { lacksValues } from "./wishes.ts";

export interface KnownSentence {
  /** With the values in the agent's wordings. */
  readonly text: string;
  readonly values: readonly ProbableValue[];
}

/** What was said of one choice. */
export interface ProbableValue {
  readonly choice: string;
  /** Undefined: none of its values. */
  readonly wording: string | undefined;
  /** The natural logarithm of how much more probable that is than anything else. */
  readonly lead: number;
  /** What is the most probable else. */
  readonly other: string | undefined;
}

/** Who says something else says nothing that is a sentence of the agent's words by this little (the logarithm of a factor of 3,000). */
const leastFit = -8;
/** Of the letters that were written freely, as many at least are in the whole of what was said. */
const leastShare = 0.85;
/** The best one has several neighbours for each of its values; less probable ones change nothing. */
const mostReadings = 12;
/** What was written sounds so much like a value that it may be a way to write it. */
const likely = 0.7;
/** Larger ones take too long to be searched in a pause. */
const mostValues = 300;

/** `written`: what was written freely, and the logarithm of its probability. */
export function findKnownSentence(
  first: Expectation,
  written: { readonly text: string; readonly score: number },
  known: KnownValues,
): KnownSentence | undefined {
  const free = known.read(written.text);
  const wordCount = free.text.split(" ").length;
  const isClear = free.unknown.length === 0 && free.values.every(({ likeness }) => likeness === 1);
  if (isClear || free.unknown.length > wordCount / 2 || known.menu.values.length > mostValues) return undefined;
  const texts = findKnownTexts(first, knownWordsOf(known.menu, free), {
    least: written.score + leastFit,
    shortest: leastShare * free.text.replaceAll(" ", "").length,
  });
  const beside = new Set(known.menu.words);
  const readings = texts.slice(0, mostReadings).map(({ text, score }): ScoredReading => {
    const reading = known.read(text);
    return { ...reading, score: score - priceOf(reading, known.menu, beside) };
  });
  const probable = readings.filter(hasEachChoiceOnce).toSorted((one, other) => other.score - one.score);
  return sentenceAmong(probable, beside);
}

/**
 * Beside what the search knows: a part of a value alone is no word ("iced milk"), and hardly anybody leaves out what every example has. A word
 * that the agent does not know has its price already, and may be what seems left out.
 */
function priceOf(reading: Reading, { wishes }: Menu, beside: ReadonlySet<string>): number {
  if (reading.unknown.length > 0) return 0;
  const hasPart = otherWords(reading).some((word) => !beside.has(word));
  return hasPart || lacksValues(wishes, reading.values) ? otherPrice : 0;
}

interface ScoredReading extends Reading {
  readonly score: number;
}

/** `beside`: the words of the agent that are no part of a value. */
function sentenceAmong(readings: readonly ScoredReading[], beside: ReadonlySet<string>): KnownSentence | undefined {
  const [best] = readings;
  if (best === undefined || best.values.length === 0 || best.unknown.length > 0) return undefined;
  // A part of a value alone, as in "iced with milk", is no word.
  if (otherWords(best).some((word) => !beside.has(word))) return undefined;
  const choices = new Set(readings.flatMap(({ values }) => values.map(({ choice }) => choice)));
  const values = [...choices].map((choice): ProbableValue => {
    const { lead, other } = compare(readings, (reading) => wordingOf(reading, choice));
    return { choice, wording: wordingOf(best, choice), lead, other };
  });
  return { text: best.text, values };
}

/** How much more probable what the best one has is than anything else. */
function compare(
  readings: readonly ScoredReading[],
  valueOf: (reading: ScoredReading) => string | undefined,
): { readonly lead: number; readonly other: string | undefined } {
  const scores = [...Map.groupBy(readings, valueOf)].map(([value, group]) => ({
    value,
    score: logSum(group.map(({ score }) => score)),
  }));
  const [best, ...others] = scores;
  const [other] = others.toSorted((one, next) => next.score - one.score);
  return { lead: (best?.score ?? 0) - (other?.score ?? -Infinity), other: other?.value };
}

function wordingOf({ values }: Reading, choice: string): string | undefined {
  return values.find((value) => value.choice === choice)?.wording;
}

/** Those that say something, and belong to no value. */
function otherWords({ text, values }: Reading): readonly string[] {
  const rest = values.reduce((words, { wording }) => words.replace(wording, ""), text);
  return rest.split(" ").filter((word) => word !== "" && !stopWords.has(word));
}

function hasEachChoiceOnce({ values }: Reading): boolean {
  return new Set(values.map(({ choice }) => choice)).size === values.length;
}

/**
 * Those of the values, and of the others those that were written: what somebody wishes is not invented. With words that only sound like a
 * value's, because "ice coffee" is how the model writes "iced coffee".
 */
function knownWordsOf({ values, words }: Menu, free: Reading): KnownWords {
  const wordings = new Set(values.map(({ wording }) => wording));
  const inValues = [...wordings].flatMap((wording) => wording.split(" "));
  const sounding = free.values.filter(({ likeness }) => likeness >= likely).flatMap(({ written }) => written);
  const written = new Set(free.text.split(" "));
  const beside = words.filter((word) => written.has(word));
  const all = new Set([...stopWords, ...beside, ...inValues, ...sounding]);
  // "Some milk" is another value than "milk", though "some" says little elsewhere.
  const isPart = (word: string, wording: string): boolean =>
    wording.split(" ").includes(word) &&
    wordings.has(
      wording
        .split(" ")
        .filter((other) => other !== word)
        .join(" "),
    );
  const telling = new Set(
    [...wordings].flatMap((wording) => wording.split(" ").filter((word) => isPart(word, wording))),
  );
  return {
    words: all,
    others: free.unknown,
    distinguishing: new Set([...all].filter((word) => telling.has(word) || !stopWords.has(word))),
  };
}
