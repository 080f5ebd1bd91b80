/** One-word answers, which are too short for the first search if the voice is unusual: yes, no and a greeting. */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { spokenDigits, teens, tens } from "@voice/shared/languages/en/numerals";
import { attemptsAt } from "./attempt.ts";
import type { SecondOpinionDecoders, TryWords } from "./attempt.ts";
import { decoderRateHz } from "./decoder.ts";
import { plainAnswers } from "./everyday-words.ts";
import { oneOf, wordsGrammar } from "./grammar.ts";

/** A slow "yes" takes 0.8 s, including the margins of the foreground; a click consists of margins only. */
const longestSamples = decoderRateHz * 0.9;
const shortestSamples = decoderRateHz * 0.24;
/**
 * The fit that a yes or a no must reach. In the product's own voices "yes" has 0 to 21 and "no" 3 to 25; the same words played backwards
 * have -13 at best, and "home", "hi" and "six" rarely more than zero.
 */
const answerAccepted = -1;
/** The fit that a "hi" must reach. Those of the tuning voices have 22 to 36. */
const greetingAccepted = 20;
/**
 * How much worse than a number or a "bye", both unlikely at that point, the fit of a "hi" may be. A "hi" of the product's own voices is
 * worse than a "bye" by 3 at most, and never worse than a "five"; a "bye" that the first search finds is better than a "hi" by 7 and more.
 */
const unlikelyPrice = 5;
/** How much better than a listener's murmur the fit of a "hi" must be: a real "hi" is better by 23, a "right" by 3 at most. */
const murmurPrice = -5;
const unlikely: ReadonlySet<string> = new Set([...spokenDigits, ...teens, ...tens, "bye"]);
/** In some voices these sound like a "hi". */
const murmurs: ReadonlySet<string> = new Set(["right", "all right"]);
/** Other short words that the first search may miss, beside yes and no. */
const rivals = ["wait", "stop", "goodbye"];
const yesOrNoGrammar = oneOf(plainAnswers);
/** Words that the engine can hardly tell from a yes or a no. */
const soundAlikes = oneOf(["less", "chess", "guess", "dress", "best", "low", "go", "show", "so"]);
/**
 * How much worse than these words an answer may fit, because the agent has asked for one: a "yes", "yeah" or "no" of the tuning voices is
 * never worse by more than 2.
 */
const soundAlikePrice = 3;

/** The yes or no that a short sound may have been; to be believed only after such a question. */
export function yesOrNo(decoders: SecondOpinionDecoders, frames: readonly Int16Array[]): string | undefined {
  const samples = shortSound(frames);
  return samples === undefined ? undefined : yesOrNoIn(attemptsAt(decoders, samples));
}

function yesOrNoIn(attempt: TryWords): string | undefined {
  const said = attempt(yesOrNoGrammar);
  if (said === undefined || said.fit < answerAccepted) return undefined;
  const other = attempt(soundAlikes);
  return said.fit >= (other?.fit ?? -Infinity) - soundAlikePrice ? said.text : undefined;
}

/**
 * A "hi" where the first search found nothing, or a word with which nobody begins: its H is too soft to distinguish it from "five".
 * `heard`: what that search found. Words are compared one by one, because a search among them drops the "hi" at its H.
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
  if (fit < greetingAccepted || (heard === "" && yesOrNoIn(attempt) !== undefined)) return undefined;
  return (heard === "" ? rivals : [heard]).every((rival) => fit >= fitOf(rival) - price) ? "hi" : undefined;
}

/** How much worse than these words the fit of a "hi" may be; undefined if they cannot have been one. */
function priceOver(heard: string): number | undefined {
  if (heard === "") return 0;
  if (murmurs.has(heard)) return murmurPrice;
  return heard.split(" ").every((word) => unlikely.has(word)) ? unlikelyPrice : undefined;
}

function shortSound(frames: readonly Int16Array[]): Int16Array | undefined {
  const samples = joinSamples(frames);
  return samples.length < shortestSamples || samples.length > longestSamples ? undefined : samples;
}
