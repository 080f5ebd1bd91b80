/**
 * Decides which expected sentence was said if the first search found none: the best one is accepted if it fits nearly
 * as well as an unconstrained sequence of phones. The first search may give up too early on an unfamiliar voice, or
 * mistake a word for a pause; this one has a wider beam and is given only the foreground.
 */
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { SpeechDecoder } from "./decoder.ts";
import { soundGrammar } from "./grammar.ts";
import type { Grammar } from "./grammar.ts";

/**
 * How much worse per 10 ms a sentence may fit than unconstrained phones. Chosen with the tuning voices of
 * `bench:hearing`.
 */
const ACCEPTED = -5;
const FRAMES_PER_SECOND = 1_000 / vadFrameMs;
/** Two words take at least this long. */
const FEWEST_FRAMES = FRAMES_PER_SECOND * 0.4;
const SCORED_PER_FRAME = vadFrameMs / 10;

/** The sentence, or nothing. Takes at most half as long as the audio lasts. */
export type SecondOpinion = (frames: readonly Int16Array[], sentences: Grammar) => string;

/**
 * It has a decoder of its own, so that this audio does not change what the other decoders have learnt about their
 * lines.
 */
export function createSecondOpinion(decoder: SpeechDecoder): SecondOpinion {
  return (frames, sentences) => opinionOf(decoder, frames, sentences);
}

function opinionOf(decoder: SpeechDecoder, frames: readonly Int16Array[], sentences: Grammar): string {
  if (frames.length < FEWEST_FRAMES) return "";
  const text = decode(decoder, frames, sentences);
  // A single word is not accepted, because a cough or a door can sound like one.
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
