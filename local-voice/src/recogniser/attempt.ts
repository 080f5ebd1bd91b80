/** How well speech fits words, relative to how well it fits any phones at all. */
import { decoderRateHz } from "./decoder.ts";
import type { SpeechDecoder } from "./decoder.ts";
import { soundGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";

/** What a second search makes of speech. */
export interface Opinion {
  readonly text: string;
  /** If not, it is only plausible. */
  readonly isSure: boolean;
}

export interface Attempt {
  readonly text: string;
  /** How much better it fits than mere phones, for each 10 ms. */
  readonly fit: number;
}

/** Decoders that only the second opinion uses. */
export interface SecondOpinionDecoders {
  readonly words: SpeechDecoder;
  /**
   * Compares with mere phones. A decoder of its own, because changing the grammar of the other one would take 50 to 150 ms for each
   * opinion.
   */
  readonly sounds: SpeechDecoder;
}

/** 10 ms. */
const samplesScored = decoderRateHz / 100;

/** The words of a grammar that fit best, and how well; undefined if there are none, or if they are not candidates. */
export type TryWords = (grammar: Grammar, isCandidate?: (text: string) => boolean) => Attempt | undefined;

/** The same speech is compared with several grammars, but only once with mere phones. */
export function attemptsAt(decoders: SecondOpinionDecoders, samples: Int16Array): TryWords {
  let sounds: number | undefined;
  return (grammar, isCandidate = () => true) => {
    const text = decode(decoders.words, samples, grammar);
    if (text === "" || !isCandidate(text)) return undefined;
    sounds ??= soundsScore(decoders.sounds, samples);
    const better = decoders.words.score() - sounds;
    return { text, fit: better / (samples.length / samplesScored) };
  };
}

function soundsScore(decoder: SpeechDecoder, samples: Int16Array): number {
  decode(decoder, samples, soundGrammar);
  return decoder.score();
}

function decode(decoder: SpeechDecoder, samples: Int16Array, grammar: Grammar): string {
  // Loading one takes 20 to 80 ms.
  if (decoder.grammar !== grammar) decoder.setGrammar(grammar);
  decoder.forget();
  decoder.begin();
  decoder.hearWhole(samples);
  return decoder.end();
}
