/**
 * Which of the expected sentences it was, where the first search found none: the best of them, compared with what any
 * sounds of speech would have been. The first search may give up too early on an unfamiliar voice, or explain a word as a
 * pause; this one is wider and hears nothing but the foreground.
 */
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { SpeechDecoder } from "./decoder.ts";
import { soundGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";

/**
 * By how much a sentence may fit worse than mere sounds, for each 10 ms. Chosen with the tuning voices of `bench:hearing`.
 */
const ACCEPTED = -5;
const FRAMES_PER_SECOND = 1_000 / vadFrameMs;
/** Shorter than this nobody says two words. */
const FEWEST_FRAMES = FRAMES_PER_SECOND * 0.4;
const SCORED_PER_FRAME = vadFrameMs / 10;

/** The sentence, or nothing. Half as long as the frames last, at most. */
export type SecondOpinion = (frames: readonly Int16Array[], sentences: Grammar) => string;

/** The decoder is its own: what it hears must not change what the others expect of a line. */
export function createSecondOpinion(decoder: SpeechDecoder): SecondOpinion {
  return (frames, sentences) => opinionOf(decoder, frames, sentences);
}

function opinionOf(decoder: SpeechDecoder, frames: readonly Int16Array[], sentences: Grammar): string {
  if (frames.length < FEWEST_FRAMES) return "";
  const text = decode(decoder, frames, sentences);
  // A single word is what a cough and a door sound like, too.
  if (!text.includes(" ")) return "";
  const asSentence = decoder.score();
  decode(decoder, frames, soundGrammar);
  const fit = (asSentence - decoder.score()) / (frames.length * SCORED_PER_FRAME);
  return fit < ACCEPTED ? "" : text;
}

function decode(decoder: SpeechDecoder, frames: readonly Int16Array[], grammar: Grammar): string {
  decoder.setGrammar(grammar);
  decoder.forget();
  decoder.begin();
  for (const frame of frames) decoder.hear(frame);
  return decoder.end();
}
