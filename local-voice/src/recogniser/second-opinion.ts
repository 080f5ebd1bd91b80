/**
 * Decides which expected sentence was spoken if the first search found none: the best one is accepted if it fits nearly as well as an
 * unconstrained sequence of phones. The first search may give up too early on an unfamiliar voice, or mistake a word for a pause; this one
 * has a wider beam, knows other accents and shorter vocal tracts, and receives only the foreground.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { attemptsAt } from "./attempt.ts";
import type { Attempt, Opinion, SecondOpinionDecoders } from "./attempt.ts";
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
const accepted = -8;
/** The same for speech to which no noise was added. */
const acceptedAsItIs = -5;
/** A fit between `accepted` and this justifies a question to the caller; a worse one does not. */
const plausible = -14;
/**
 * If the fit is worse than this, no other pace is tried: of 72 such cases, among 728 sentences of the tuning voices on the telephone, one
 * became a sentence. An opinion on seven seconds of foreign words takes a second of the thread at each pace.
 */
const hopeless = -20;
/** The fit that words which form no sentence must reach. They are compared alone, so their fit is not reduced by a choice among many. */
const wordsAccepted = 24;
/** By how much the fit of a sentence may be worse than theirs and still be accepted: the price of having been chosen among many. */
const sentencePrice = 12;
/** Two words take at least this long. */
const fewestSamples = decoderRateHz * 0.4;
/** Unchanged, and slowed down for short vocal tracts. Faster paces have found nothing in addition. */
const paces = [1, 0.94];

export interface SecondOpinion {
  /** The best sentence, or undefined. Takes at most half the duration of the frames. */
  likelySentence(speech: ForegroundSpeech, sentences: Grammar): Opinion | undefined;
  /** The same if the first search found words in an order that no sentence has, or too few words for so much speech. */
  sentenceOrWords(speech: ForegroundSpeech, sentences: Grammar, words: string): Opinion | undefined;
  /** A sentence that fits well, and better than the words that the first search found. */
  betterSentence(speech: ForegroundSpeech, sentences: Grammar, words: string): string | undefined;
  /** The code that was asked for, if one fits. `heard`: the digits that the first search found, or nothing. */
  code(speech: ForegroundSpeech, expected: ExpectedDigits & { readonly heard: string }): Opinion | undefined;
  /** A greeting, if nobody has spoken yet. `heard`: what the first search found. */
  greeting(frames: readonly Int16Array[], heard: string): string | undefined;
  /** The yes or no that a short sound may have been; to be believed only after such a question. */
  yesOrNo(frames: readonly Int16Array[]): string | undefined;
}

export function createSecondOpinion(decoders: SecondOpinionDecoders): SecondOpinion {
  const likelySentence = ({ frames, isNoisy }: ForegroundSpeech, sentences: Grammar): Opinion | undefined => {
    const samples = joinSamples(frames);
    if (samples.length < fewestSamples) return undefined;
    let best: Attempt | undefined;
    for (const pace of paces) {
      const paced = pace === 1 ? samples : atPace(samples, pace);
      const said = attemptsAt(decoders, isNoisy ? paced : withNoiseFloor(paced))(sentences, hasSeveralWords);
      if (said !== undefined && said.fit > (best?.fit ?? plausible)) best = said;
      if (best !== undefined && best.fit >= leastFit(isNoisy)) return { text: best.text, isSure: true };
      if (said === undefined || said.fit < hopeless) break;
    }
    return best === undefined ? undefined : { text: best.text, isSure: false };
  };
  return {
    likelySentence,
    sentenceOrWords(speech, sentences, words) {
      const attempt = attemptsAt(decoders, joinSamples(speech.frames));
      const said = attempt(wordsGrammar(words));
      if (said === undefined || said.fit < wordsAccepted) return likelySentence(speech, sentences);
      const sentence = attempt(sentences);
      const isSentence = sentence !== undefined && sentence.fit >= Math.max(acceptedAsItIs, said.fit - sentencePrice);
      return { text: isSentence ? sentence.text : words, isSure: true };
    },
    betterSentence({ frames, isNoisy }, sentences, words) {
      const samples = joinSamples(frames);
      if (samples.length < fewestSamples) return undefined;
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
  return isNoisy ? acceptedAsItIs : accepted;
}
