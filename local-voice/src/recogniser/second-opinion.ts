/**
 * Decides which expected sentence was said if the first search found none: the best one is accepted if it fits nearly
 * as well as an unconstrained sequence of phones. The first search may give up too early on an unfamiliar voice, or
 * mistake a word for a pause; this one has a wider beam, knows other accents and shorter vocal tracts, and is given only
 * the foreground.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { attemptsAt } from "./attempt.ts";
import type { Attempt, SecondOpinionDecoders } from "./attempt.ts";
import type { ExpectedDigits } from "./awaited-digits.ts";
import { decoderRateHz } from "./decoder.ts";
import { expectedCode } from "./expected-code.ts";
import type { ForegroundSpeech } from "./foreground.ts";
import { wordsGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";
import { withNoiseFloor } from "./noise-floor.ts";
import { atPace } from "./pace.ts";
import { greeting, yesOrNo } from "./short-answers.ts";

/**
 * How much worse per 10 ms a sentence may fit than unconstrained phones. Chosen with the tuning voices of
 * `bench:hearing`.
 */
const ACCEPTED = -8;
/** The same for speech to which no noise was added. */
const ACCEPTED_AS_IT_IS = -5;
/** What fits worse than that is asked about; what fits worse than this is something else. */
const PLAUSIBLE = -14;
/**
 * What fits worse than this, or not at all, is not tried at another pace: of 72 such, among 728 sentences of the tuning voices on
 * the telephone, one became a sentence. An opinion on seven seconds of other words takes a second of the thread at each pace.
 */
const HOPELESS = -20;
/** What words that are no sentence must reach, which are compared alone and pay nothing for having been chosen. */
const WORDS_ACCEPTED = 24;
/** By how much a sentence may fit worse than they do, and yet be what was said: what it pays for being one of many. */
const SENTENCE_PRICE = 12;
/** Two words take at least this long. */
const FEWEST_SAMPLES = decoderRateHz * 0.4;
/** As it was said; and for short vocal tracts. Faster ones have found nothing that these two have not. */
const PACES = [1, 0.94];

export interface Opinion {
  readonly text: string;
  /** Otherwise it is only plausible. */
  readonly isSure: boolean;
}

export interface SecondOpinion {
  /** The sentence, or nothing. Takes half as long as the frames last, at most. */
  of(speech: ForegroundSpeech, sentences: Grammar): Opinion | undefined;
  /** The same if the first search found words in an order that no sentence has, or too few of them for so much speech. */
  ofWords(speech: ForegroundSpeech, sentences: Grammar, words: string): Opinion | undefined;
  /** The sentence that fits well, and better than the words that the first search found. */
  insteadOf(speech: ForegroundSpeech, sentences: Grammar, words: string): string | undefined;
  /** The code that was asked for, where one fits. `heard`: the digits that the first search found, or nothing. */
  code(speech: ForegroundSpeech, expected: ExpectedDigits & { readonly heard: string }): string | undefined;
  /** A greeting where nobody has spoken yet. `heard`: what the first search found. */
  greeting(frames: readonly Int16Array[], heard: string): string | undefined;
  /** The yes or no that a short sound may have been, to be believed after such a question only. */
  yesOrNo(frames: readonly Int16Array[]): string | undefined;
}

export function createSecondOpinion(decoders: SecondOpinionDecoders): SecondOpinion {
  const of = ({ frames, isNoisy }: ForegroundSpeech, sentences: Grammar): Opinion | undefined => {
    const samples = joinSamples(frames);
    if (samples.length < FEWEST_SAMPLES) return undefined;
    let best: Attempt | undefined;
    for (const pace of PACES) {
      const paced = pace === 1 ? samples : atPace(samples, pace);
      const said = attemptsAt(decoders, isNoisy ? paced : withNoiseFloor(paced))(sentences, hasSeveralWords);
      if (said !== undefined && said.fit > (best?.fit ?? PLAUSIBLE)) best = said;
      if (best !== undefined && best.fit >= leastFit(isNoisy)) return { text: best.text, isSure: true };
      if (said === undefined || said.fit < HOPELESS) break;
    }
    return best === undefined ? undefined : { text: best.text, isSure: false };
  };
  return {
    of,
    ofWords(speech, sentences, words) {
      const attempt = attemptsAt(decoders, joinSamples(speech.frames));
      const said = attempt(wordsGrammar(words));
      if (said === undefined || said.fit < WORDS_ACCEPTED) return of(speech, sentences);
      const sentence = attempt(sentences);
      const isSentence =
        sentence !== undefined && sentence.fit >= Math.max(ACCEPTED_AS_IT_IS, said.fit - SENTENCE_PRICE);
      return { text: isSentence ? sentence.text : words, isSure: true };
    },
    insteadOf({ frames, isNoisy }, sentences, words) {
      const samples = joinSamples(frames);
      if (samples.length < FEWEST_SAMPLES) return undefined;
      const attempt = attemptsAt(decoders, isNoisy ? samples : withNoiseFloor(samples));
      const sentence = attempt(sentences, hasSeveralWords);
      if (sentence === undefined || sentence.fit < leastFit(isNoisy)) return undefined;
      const said = attempt(wordsGrammar(words));
      return said === undefined || sentence.fit > said.fit ? sentence.text : undefined;
    },
    code: (speech, expected) => expectedCode(decoders, speech, expected),
    greeting: (frames, heard) => greeting(decoders, frames, heard),
    yesOrNo: (frames) => yesOrNo(decoders, frames),
  };
}

/** A single word is not accepted, because a cough or a door can sound like one. */
function hasSeveralWords(text: string): boolean {
  return text.includes(" ");
}

function leastFit(isNoisy: boolean): number {
  return isNoisy ? ACCEPTED_AS_IT_IS : ACCEPTED;
}
