/**
 * How much written words sound alike: the open recogniser writes what it does not know as words that sound like it ("ice moke", "a cup of
 * china"). Letters stand for sounds, roughly: each sound of English that is written in several ways has one letter here. Pure.
 */
import { spokenForm } from "../recogniser/examples.ts";

/** In this order. What is written and not heard goes. */
const soundsOfLetters: readonly (readonly [RegExp, string])[] = [
  [/'/g, ""],
  [/tch|ch/g, "C"],
  [/sh|tion/g, "S"],
  [/ph/g, "f"],
  [/th/g, "T"],
  [/dge/g, "j"],
  [/wh/g, "w"],
  [/\bkn/g, "n"],
  [/\bwr/g, "r"],
  [/qu/g, "kw"],
  [/x/g, "ks"],
  [/gh/g, ""],
  [/ck/g, "k"],
  [/c(?=[eiy])/g, "s"],
  [/c/g, "k"],
  [/q/g, "k"],
  [/oa|ow|aw|au/g, "o"],
  [/ee|ea|ie/g, "i"],
  [/oo/g, "u"],
  [/ai|ay|ey/g, "e"],
  [/\By/g, "i"],
  [/(?<=[^aeioutd])ed\b/g, "t"],
  [/(?<=[a-z][^aeiou])e\b/gi, ""],
  [/(.)\1/g, "$1"],
];

export function soundsOf(word: string): string {
  return soundsOfLetters.reduce((sounds, [written, heard]) => sounds.replaceAll(written, heard), word);
}

/** The words of a text, with numerals as words. */
export function wordsIn(text: string): readonly string[] {
  return spokenForm(text);
}

const vowels = new Set("aeiou");
/** Often neither heard nor written. */
const weak = new Set("hwrytd");
/** "ch" is also written for a "k". */
const groups = ["pb", "tdT", "kgC", "szCSj", "fv", "mn", "lr"];

const otherVowel = 0.4;
const otherOfGroup = 0.4;

/** The price of a sound that is left out, or comes in addition. */
export function priceOf(sound: string): number {
  return vowels.has(sound) || weak.has(sound) ? 0.5 : 0.8;
}

/** The price of one sound in place of another. */
export function priceBetween(left: string, right: string): number {
  return pricesBetween[(left.codePointAt(0) ?? 0) * sounds + (right.codePointAt(0) ?? 0)] ?? 1;
}

/** Codes of ASCII. */
const sounds = 128;
const pricesBetween = Float64Array.from({ length: sounds * sounds }, (_, at) =>
  differenceOf(String.fromCodePoint(Math.floor(at / sounds)), String.fromCodePoint(at % sounds)),
);

function differenceOf(left: string, right: string): number {
  if (left === right) return 0;
  if (vowels.has(left) && vowels.has(right)) return otherVowel;
  return groups.some((group) => group.includes(left) && group.includes(right)) ? otherOfGroup : 1;
}
