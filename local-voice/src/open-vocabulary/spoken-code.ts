/**
 * The code that somebody has most probably said, where it is known how many digits it has: a search of the open recogniser's text among
 * those that are codes of that length, in each way in which it writes them ("Three, eight, five, one.", "3851", "38-51"). Pure. Decision 080.
 */
import { spokenDigits, units } from "@voice/shared/languages/en/numerals";
import type { Expectation } from "./moonshine-decoder.ts";
import { byProbability, widestBeam } from "./ranked-codes.ts";
import { endToken, tokenOf, tokensOf } from "./written-tokens.ts";

export interface SpokenCode {
  readonly digits: string;
  /** The natural logarithm of the code's probability, over all ways to write it. */
  readonly score: number;
}

/** The most probable codes within the beam, the best first, and the most probable text of digits that no code of an expected length ends with. */
export interface SpokenCodes {
  readonly codes: readonly SpokenCode[];
  readonly part: SpokenCode | undefined;
}

/** As many texts are followed at a time. */
const mostTexts = 6;
/** A code that others precede is not what was said. */
const mostCodes = 8;

/** A text so far. */
interface Text {
  readonly digits: string;
  readonly score: number;
  readonly last: "start" | "word" | "numeral" | "space" | "hyphen" | "mark";
  /** What is left of the word for the last digit. */
  readonly rest: readonly number[];
  readonly expected: Expectation;
}

interface Continuation extends Omit<Text, "expected" | "score"> {
  readonly token: number;
}

export function findSpokenCodes(first: Expectation, lengths: readonly number[]): SpokenCodes {
  const found = new Map<string, number>();
  const parts = new Map<string, number>();
  let texts: readonly Text[] = [{ digits: "", score: 0, last: "start", rest: [], expected: first }];
  while (texts.length > 0) {
    const next: { readonly score: number; readonly from: Text; readonly to: Continuation }[] = [];
    for (const text of texts) {
      const total = logSum(text.expected.scores);
      const scoreAfter = (token: number): number => text.score + (text.expected.scores[token] ?? -Infinity) - total;
      if (mayEnd(text)) {
        const ended = lengths.includes(text.digits.length) ? found : parts;
        ended.set(text.digits, logSum([ended.get(text.digits) ?? -Infinity, scoreAfter(endToken)]));
      }
      for (const to of continuationsOf(text, lengths)) next.push({ score: scoreAfter(to.token), from: text, to });
    }
    const best = Math.max(...found.values(), ...next.map(({ score }) => score));
    texts = next
      .filter(({ score }) => score > best - widestBeam)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, mostTexts)
      .map(({ score, from, to: { token, ...to } }) => ({ ...to, score, expected: from.expected.after(token) }));
  }
  const [part] = byProbability(scored(parts));
  return { codes: byProbability(scored(found)).slice(0, mostCodes), part };
}

function scored(found: ReadonlyMap<string, number>): readonly SpokenCode[] {
  return Array.from(found, ([digits, score]) => ({ digits, score }));
}

/** The natural logarithm of a sum of numbers that are given by theirs. */
export function logSum(logarithms: ArrayLike<number>): number {
  let most = -Infinity;
  for (let at = 0; at < logarithms.length; at++) most = Math.max(most, logarithms[at] ?? -Infinity);
  let sum = 0;
  for (let at = 0; at < logarithms.length; at++) sum += Math.exp((logarithms[at] ?? -Infinity) - most);
  return most + Math.log(sum);
}

interface Digit {
  readonly digit: string;
  readonly tokens: readonly number[];
}

const words: readonly Digit[] = [...spokenDigits, "o"].flatMap((word) => {
  const digit = String(Math.max(0, units.indexOf(word) + 1));
  const capitalised = word.charAt(0).toUpperCase() + word.slice(1);
  return [word, capitalised].map((written) => ({ digit, tokens: tokensOf(written) }));
});
const numerals: readonly Digit[] = Array.from({ length: 10 }, (_, digit) => ({
  digit: String(digit),
  tokens: [tokenOf(String(digit))],
}));
const [space, hyphen, comma, fullStop] = ["▁", "-", ",", "."].map(tokenOf);

function mayEnd({ digits, last, rest }: Text): boolean {
  return digits !== "" && rest.length === 0 && last !== "space" && last !== "hyphen";
}

function continuationsOf({ digits, last, rest }: Text, lengths: readonly number[]): readonly Continuation[] {
  const [token, ...others] = rest;
  if (token !== undefined) return [{ digits, last, token, rest: others }];
  const isAfterDigit = last === "word" || last === "numeral";
  const mark = (written: number | undefined, kind: Text["last"]): readonly Continuation[] =>
    written === undefined ? [] : [{ digits, last: kind, token: written, rest: [] }];
  if (digits.length >= Math.max(...lengths)) return isAfterDigit ? mark(fullStop, "mark") : [];
  const isOpen = last === "space" || last === "hyphen";
  return [
    ...(isOpen ? [] : words.flatMap((word) => written(word, "word"))),
    ...(isOpen || last === "numeral" ? numerals.flatMap((numeral) => written(numeral, "numeral")) : []),
    ...(isOpen ? [] : mark(space, "space")),
    ...(isAfterDigit ? [...mark(hyphen, "hyphen"), ...mark(comma, "mark"), ...mark(fullStop, "mark")] : []),
  ];

  function written({ digit, tokens: [first, ...following] }: Digit, kind: Text["last"]): readonly Continuation[] {
    return first === undefined ? [] : [{ digits: digits + digit, last: kind, token: first, rest: following }];
  }
}
