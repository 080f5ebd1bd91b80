/**
 * Moonshine tiny, a recogniser of English without a grammar (27 million parameters, in 8-bit integers). Blocks the thread while it
 * recognises: 25 to 60 ms for each second of speech.
 */
import { findKnownSentence } from "./known-sentence.ts";
import type { KnownSentence } from "./known-sentence.ts";
import { KnownValues } from "./known-values.ts";
import type { Menu } from "./known-values.ts";
import { loadMoonshineDecoder } from "./moonshine-decoder.ts";
import type { Expectation } from "./moonshine-decoder.ts";
import { afterLeadIn, withLeadIn } from "./lead-in.ts";
import { openRateHz } from "./open-rate.ts";
import { mayBeSaid } from "./ranked-codes.ts";
import { findSpokenCodes, logSum } from "./spoken-code.ts";
import { endToken, textOf } from "./written-tokens.ts";

export interface OpenText {
  readonly text: string;
  /** Where a code was expected: the most probable ones, the best first. */
  readonly codes?: readonly ProbableCode[] | undefined;
  /** The same of another length: of the digits so far, if the caller has not finished. */
  readonly part?: OpenDigits | undefined;
  /** Where values of an agent are expected, and the text is unclear about them. */
  readonly sentence?: KnownSentence | undefined;
}

/** What is expected to be said. */
export interface OpenQuestion {
  /** How many digits a code has. */
  readonly codeLengths?: readonly number[] | undefined;
  readonly menu?: Menu | undefined;
}

export interface OpenDigits {
  readonly digits: string;
  /** The natural logarithm of how much more probable they are than the text that was recognised without expecting any: less than 0 unless that text is these. */
  readonly fit: number;
}

export interface ProbableCode extends OpenDigits {
  /** The natural logarithm of its probability, but for a term that all of them share. */
  readonly score: number;
}

/** `samples`: PCM16 mono at `openRateHz`. */
export type RecogniseSpeech = (samples: Int16Array, question?: OpenQuestion) => OpenText;

/** Where it is lost in noise, the model does not find an end. */
const mostTokensPerSecond = 6;

/** Rejects where the runtime has no build for this machine. */
export async function loadMoonshine(): Promise<RecogniseSpeech> {
  const decode = await loadMoonshineDecoder();
  return (samples, { codeLengths = [], menu } = {}) => {
    const mostTokens = Math.max(1, (samples.length / openRateHz) * mostTokensPerSecond);
    const digits = codeLengths.length === 0 ? undefined : recogniseCode(samples, codeLengths, mostTokens);
    // The words are the same with and without the lead-in where they are digits, so they are not looked for twice.
    if (digits !== undefined && mayBeSaid(digits.codes?.[0])) return digits;
    const words = decode(waveOf(samples), (first): OpenText => {
      const written = mostProbableText(first, mostTokens);
      const { text } = written;
      if (menu === undefined || text === "") return { text };
      return { text, sentence: findKnownSentence(first, written, new KnownValues(menu)) };
    });
    return { ...digits, ...words };
  };

  function recogniseCode(samples: Int16Array, lengths: readonly number[], mostTokens: number): OpenText {
    return decode(waveOf(withLeadIn(samples)), (first) => {
      const expected = afterLeadIn(first);
      const { text, score } = mostProbableText(expected, mostTokens);
      const { codes, part } = findSpokenCodes(expected, lengths);
      return {
        text,
        codes: codes.map((one) => ({ ...one, fit: one.score - score })),
        part: part && { digits: part.digits, fit: part.score - score },
      };
    });
  }
}

function waveOf(samples: Int16Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(samples, (sample) => sample / 32_768);
}

interface WrittenText {
  readonly text: string;
  /** The natural logarithm of its probability. */
  readonly score: number;
}

/**
 * The model often takes what begins softly for nothing at all, though it knows the words: of 40 orders by people it wrote nothing for 14. So
 * it has to write something, which counts if it is sure of it. Of noises, tones and music it is not, or finds no end of it.
 */
function mostProbableText(first: Expectation, mostTokens: number): WrittenText {
  const silent = (first.scores[endToken] ?? 0) - logSum(first.scores);
  const written = wordsFrom(first, mostTokens);
  if (placeOfLargest(first.scores) !== endToken) return written;
  const isSure = written.isEnded && written.score / (written.tokens + 1) > leastCertainty;
  return { text: isSure ? written.text : "", score: Math.max(silent, written.score) };
}

/** The mean natural logarithm of a token's probability: of speech -0.8 and more, of noises and music -0.97 and less. */
const leastCertainty = -0.85;

/** Takes the most probable token at each place, and at least one. */
function wordsFrom(
  first: Expectation,
  mostTokens: number,
): WrittenText & { readonly tokens: number; readonly isEnded: boolean } {
  const tokens: number[] = [];
  let score = 0;
  for (let expected = first; ;) {
    const { scores } = expected;
    const token = placeOfLargest(scores, tokens.length === 0 ? endToken : undefined);
    score += (scores[token] ?? 0) - logSum(scores);
    const isEnded = token === endToken;
    if (isEnded || tokens.length >= mostTokens) return { text: textOf(tokens), score, tokens: tokens.length, isEnded };
    tokens.push(token);
    expected = expected.after(token);
  }
}

function placeOfLargest(numbers: Float32Array, except?: number): number {
  let [place, largest] = [0, -Infinity];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (number > largest && at !== except) [place, largest] = [at, number];
  }
  return place;
}
