/**
 * Judges by a text alone whether it is complete: a logistic regression over its last words, trained on what people said to agents
 * (`local/end-of-turn/train-cli.ts`).
 */
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import { textFeatures, wordHasher } from "./text-features.ts";
import type { HashedWord } from "./text-features.ts";

/** A trained model as a source file carries it. */
export interface TextWeights {
  /** Words that occurred often in the training, separated by spaces, the most frequent first. */
  readonly frequentWords: string;
  /** In nats: the difference between one character of `weights` and the next. */
  readonly step: number;
  /** One character for the weight of each feature; its length is a power of two. */
  readonly weights: string;
}

/** In nats: above 0, a text is more probably complete than not. */
export type TextModel = (words: readonly string[], asked: Expected["kind"]) => number;

/** The characters of a weight, from the most negative to the most positive: those that need no escape in a string. */
const characters = Array.from({ length: 92 }, (_, index) => String.fromCharCode(35 + index)).filter(
  (character) => !"\\`$".includes(character),
);
const zero = (characters.length - 1) / 2;
const levelOf = new Map(characters.map((character, index) => [character.charCodeAt(0), index - zero]));

export function createTextModel({ frequentWords, step, weights }: TextWeights): TextModel {
  const bits = Math.log2(weights.length);
  const hashWord = wordHasher(frequentWords.split(" "));
  return (words, kind) => {
    if (words.length === 0) return 0;
    let levels = 0;
    for (const feature of textFeatures(hashWords(words, hashWord), words.length, { kind, bits }))
      levels += levelOf.get(weights.charCodeAt(feature)) ?? 0;
    return levels * step;
  };
}

function hashWords(words: readonly string[], hashWord: (word: string) => HashedWord): HashedWord[] {
  return words.map((word) => hashWord(word));
}

/** The character for a weight; a weight beyond the last character gets that one. */
export function encodeWeight(weight: number, step: number): string {
  const level = Math.max(-zero, Math.min(zero, Math.round(weight / step)));
  return characters[level + zero] ?? "";
}
