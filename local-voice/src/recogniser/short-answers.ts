/** Answers of one word, which are too short for the first search where the voice is unusual: yes, no and a greeting. */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { spokenDigits, teens, tens } from "@voice/shared/languages/en/numerals";
import { attemptsAt } from "./attempt.ts";
import type { SecondOpinionDecoders, TryWords } from "./attempt.ts";
import { decoderRateHz } from "./decoder.ts";
import { plainAnswers } from "./everyday-words.ts";
import { oneOf, wordsGrammar } from "./grammar.ts";

/** A slow "yes" takes 0.8 s, with the margins of the foreground; a click is all margins. */
const LONGEST_SAMPLES = decoderRateHz * 0.9;
const SHORTEST_SAMPLES = decoderRateHz * 0.24;
/**
 * What a yes or a no must reach. In the product's own voices "yes" fits with 0 to 21 and "no" with 3 to 25; the same words played
 * backwards with -13 at best, and "home", "hi" and "six" hardly ever with more than nothing.
 */
const ANSWER_ACCEPTED = -1;
/** What a "hi" must reach. Those of the tuning voices fit with 22 to 36. */
const GREETING_ACCEPTED = 20;
/**
 * By how much it may fit worse than a number or a "bye", which are unlikely then: a "hi" of the product's own voices fits worse than a
 * "bye" by 3 at most, and than a "five" never; a "bye" that the first search finds fits better than a "hi" by 7 and more.
 */
const UNLIKELY_PRICE = 5;
/** By how much it must fit better than what a listener murmurs: by 23 in such a "hi", by 3 at most in a "right". */
const MURMUR_PRICE = -5;
const unlikely: ReadonlySet<string> = new Set([...spokenDigits, ...teens, ...tens, "bye"]);
/** In some voices they sound like a "hi". */
const murmurs: ReadonlySet<string> = new Set(["right", "all right"]);
/** Other short words that the first search may miss, beside yes and no. */
const rivals = ["wait", "stop", "goodbye"];
const yesOrNoGrammar = oneOf(plainAnswers);
/** Words that are much the same to the engine. */
const soundAlikes = oneOf(["less", "chess", "guess", "dress", "best", "low", "go", "show", "so"]);
/**
 * By how much an answer may fit worse than they do, because it was asked for: a "yes", "yeah" or "no" of the tuning voices never fits
 * worse by more than 2.
 */
const SOUND_ALIKE_PRICE = 3;

/** The yes or no that a short sound may have been, to be believed after such a question only. */
export function yesOrNo(decoders: SecondOpinionDecoders, frames: readonly Int16Array[]): string | undefined {
  const samples = shortSound(frames);
  return samples === undefined ? undefined : yesOrNoIn(attemptsAt(decoders, samples));
}

function yesOrNoIn(attempt: TryWords): string | undefined {
  const said = attempt(yesOrNoGrammar);
  if (said === undefined || said.fit < ANSWER_ACCEPTED) return undefined;
  const other = attempt(soundAlikes);
  return said.fit >= (other?.fit ?? -Infinity) - SOUND_ALIKE_PRICE ? said.text : undefined;
}

/**
 * A "hi" where the first search found nothing, or a word with which nobody begins: its H is too soft to tell it from "five". `heard`:
 * what that search found. Words are compared one by one, because a search among them drops the "hi" at its H.
 */
export function greeting(
  decoders: SecondOpinionDecoders,
  frames: readonly Int16Array[],
  heard: string,
): string | undefined {
  const price = priceOver(heard);
  const samples = price === undefined ? undefined : shortSound(frames);
  if (samples === undefined || price === undefined) return undefined;
  const attempt = attemptsAt(decoders, samples);
  const fitOf = (words: string): number => attempt(wordsGrammar(words))?.fit ?? -Infinity;
  const fit = fitOf("hi");
  if (fit < GREETING_ACCEPTED || (heard === "" && yesOrNoIn(attempt) !== undefined)) return undefined;
  return (heard === "" ? rivals : [heard]).every((rival) => fit >= fitOf(rival) - price) ? "hi" : undefined;
}

/** By how much a "hi" may fit worse than these words; undefined where they cannot have been one. */
function priceOver(heard: string): number | undefined {
  if (heard === "") return 0;
  if (murmurs.has(heard)) return MURMUR_PRICE;
  return heard.split(" ").every((word) => unlikely.has(word)) ? UNLIKELY_PRICE : undefined;
}

function shortSound(frames: readonly Int16Array[]): Int16Array | undefined {
  const samples = joinSamples(frames);
  return samples.length < SHORTEST_SAMPLES || samples.length > LONGEST_SAMPLES ? undefined : samples;
}
