/**
 * Decides which expected sentence was said if the first search found none: the best one is accepted if it fits nearly
 * as well as an unconstrained sequence of phones. The first search may give up too early on an unfamiliar voice, or
 * mistake a word for a pause; this one has a wider beam, knows other accents and shorter vocal tracts, and is given only
 * the foreground.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { decoderRateHz } from "./decoder.ts";
import type { SpeechDecoder } from "./decoder.ts";
import { soundGrammar, wordsGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";
import { atPace } from "./pace.ts";

/**
 * How much worse per 10 ms a sentence may fit than unconstrained phones. Chosen with the tuning voices of
 * `bench:hearing`.
 */
const ACCEPTED = -5;
/** What fits worse than that is asked about; what fits worse than this is something else. */
const PLAUSIBLE = -14;
/** What words that are no sentence must reach, which are compared alone and pay nothing for having been chosen. */
const WORDS_ACCEPTED = 24;
/** By how much a sentence may fit worse than they do, and yet be what was said: what it pays for being one of many. */
const SENTENCE_PRICE = 12;
/** Two words take at least this long. */
const FEWEST_SAMPLES = decoderRateHz * 0.4;
/** 10 ms. */
const SAMPLES_SCORED = decoderRateHz / 100;
/** As it was said; and for short vocal tracts. Faster ones have found nothing that these two have not. */
const PACES = [1, 0.94];

export interface Opinion {
  readonly text: string;
  /** Otherwise it is only plausible. */
  readonly isSure: boolean;
}

export interface SecondOpinion {
  /** The sentence, or nothing. Takes half as long as the frames last, at most. */
  of(frames: readonly Int16Array[], sentences: Grammar): Opinion | undefined;
  /** The same if the first search found words in an order that no sentence has, or too few of them for so much speech. */
  ofWords(frames: readonly Int16Array[], sentences: Grammar, words: string): Opinion | undefined;
}

interface Attempt {
  readonly text: string;
  /** By how much it fits better than mere sounds, for each 10 ms. */
  readonly fit: number;
}

/**
 * It has a decoder of its own, so that this audio does not change what the other decoders have learnt about their
 * lines.
 */
export function createSecondOpinion(decoder: SpeechDecoder): SecondOpinion {
  const ofSamples = (samples: Int16Array, sentences: Grammar): Opinion | undefined => {
    if (samples.length < FEWEST_SAMPLES) return undefined;
    let best: Attempt | undefined;
    for (const pace of PACES) {
      const heard = pace === 1 ? samples : atPace(samples, pace);
      const text = decode(decoder, heard, sentences);
      // A single word is not accepted, because a cough or a door can sound like one.
      if (!text.includes(" ")) continue;
      const fit = fitOf(decoder, heard);
      if (fit > (best?.fit ?? PLAUSIBLE)) best = { text, fit };
      if (best !== undefined && best.fit >= ACCEPTED) return { text: best.text, isSure: true };
    }
    return best === undefined ? undefined : { text: best.text, isSure: false };
  };
  return {
    of: (frames, sentences) => ofSamples(joinSamples(frames), sentences),
    ofWords(frames, sentences, words) {
      const samples = joinSamples(frames);
      const said = attemptAt(decoder, samples, wordsGrammar(words));
      if (said === undefined || said.fit < WORDS_ACCEPTED) return ofSamples(samples, sentences);
      const sentence = attemptAt(decoder, samples, sentences);
      const isSentence = sentence !== undefined && sentence.fit >= Math.max(ACCEPTED, said.fit - SENTENCE_PRICE);
      return { text: isSentence ? sentence.text : words, isSure: true };
    },
  };
}

function attemptAt(decoder: SpeechDecoder, samples: Int16Array, grammar: Grammar): Attempt | undefined {
  const text = decode(decoder, samples, grammar);
  return text === "" ? undefined : { text, fit: fitOf(decoder, samples) };
}

/** By how much that which was just decoded fits better than mere sounds, for each 10 ms. */
function fitOf(decoder: SpeechDecoder, samples: Int16Array): number {
  const asWords = decoder.score();
  decode(decoder, samples, soundGrammar);
  return (asWords - decoder.score()) / (samples.length / SAMPLES_SCORED);
}

function decode(decoder: SpeechDecoder, samples: Int16Array, grammar: Grammar): string {
  // Loading one takes 20 to 80 ms.
  if (decoder.grammar !== grammar) decoder.setGrammar(grammar);
  decoder.forget();
  decoder.begin();
  decoder.hearWhole(samples);
  return decoder.end();
}
