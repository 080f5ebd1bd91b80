/**
 * Estimates where each written word is in the audio. Flite reports when each phone ends but not which word it belongs
 * to (and "$5" is two spoken words). Pauses are exact and are matched with the punctuation that caused them; between
 * two pauses, time is divided by the words' spoken length. The error is less than a word, which is enough to cut the
 * history at an interruption.
 */
import type { SpokenWord } from "@voice/provider-kit/ports/synthesiser";

export interface Phone {
  readonly name: string;
  readonly endMs: number;
}

export const pausePhone = "pau";

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

interface WrittenWord {
  readonly textOffset: number;
  readonly textLength: number;
  readonly weight: number;
  readonly endsPhrase: boolean;
}

/** `pau:0.220 ay:0.397 …`: each phone with its end in seconds. */
export function parsePhones(printed: string): Phone[] {
  return [...printed.matchAll(/([a-z]+):(\d+\.\d+)/g)].map((match) => ({
    name: match[1] ?? "",
    endMs: Number(match[2]) * 1_000,
  }));
}

export function wordTimings(text: string, phones: readonly Phone[]): SpokenWord[] {
  const words = writtenWords(text);
  const spans = speechSpans(phones);
  const phrases = groupByPhrase(words);
  if (phrases.length === spans.length)
    return phrases.flatMap((phrase, index) => share(phrase, spans.slice(index, index + 1)));
  return share(words, spans);
}

/** The stretches between pauses. */
export function speechSpans(phones: readonly Phone[]): Span[] {
  const spans: { startMs: number; endMs: number }[] = [];
  let startMs = 0;
  let afterPause = true;
  for (const phone of phones) {
    const last = spans.at(-1);
    if (phone.name === pausePhone) afterPause = true;
    else if (afterPause || last === undefined) {
      spans.push({ startMs, endMs: phone.endMs });
      afterPause = false;
    } else last.endMs = phone.endMs;
    startMs = phone.endMs;
  }
  return spans;
}

function writtenWords(text: string): WrittenWord[] {
  return [...text.matchAll(/\S+/g)]
    .filter((match) => /[\p{L}\p{N}]/u.test(match[0]))
    .map((match) => ({
      textOffset: match.index,
      textLength: match[0].length,
      weight: weightOf(match[0]),
      endsPhrase: /[.,;:!?][)"']*$/.test(match[0]),
    }));
}

/** A word's spoken length in letters. A digit or a symbol is spoken as a word of about four letters. */
function weightOf(word: string): number {
  let weight = 1;
  for (const character of word) weight += /[\p{N}$%&@#+=]/u.test(character) ? 4 : /\p{L}/u.test(character) ? 1 : 0;
  return weight;
}

function groupByPhrase(words: readonly WrittenWord[]): WrittenWord[][] {
  const phrases: WrittenWord[][] = [];
  let open = false;
  for (const word of words) {
    const last = phrases.at(-1);
    if (open && last !== undefined) last.push(word);
    else phrases.push([word]);
    open = !word.endsPhrase;
  }
  return phrases;
}

/** Distributes the words over the spans of speech, skipping the pauses. */
function share(words: readonly WrittenWord[], spans: readonly Span[]): SpokenWord[] {
  const totalWeight = words.reduce((sum, word) => sum + word.weight, 0);
  const spokenMs = spans.reduce((sum, span) => sum + span.endMs - span.startMs, 0);
  let weight = 0;
  return words.map(({ textOffset, textLength, weight: own }) => {
    const startMs = timeAt(spans, (spokenMs * weight) / totalWeight, "starts");
    weight += own;
    return { textOffset, textLength, startMs, endMs: timeAt(spans, (spokenMs * weight) / totalWeight, "ends") };
  });
}

/**
 * At the border of a pause, a word that ends there ends before the pause, and one that starts there starts after it.
 */
function timeAt(spans: readonly Span[], spokenMs: number, side: "starts" | "ends"): number {
  const epsilonMs = 0.001;
  let left = spokenMs;
  for (const [index, span] of spans.entries()) {
    const length = span.endMs - span.startMs;
    const isLast = index === spans.length - 1;
    const fits = side === "ends" ? left <= length + epsilonMs : left < length - epsilonMs;
    if (fits || isLast) return Math.round(span.startMs + Math.min(left, length));
    left -= length;
  }
  return 0;
}
