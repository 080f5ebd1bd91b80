/**
 * The speech engines of the tests themselves: a voice for callers and ears for judges. A worker starts each of them once, at
 * the first need, and keeps what was spoken; they end with the worker.
 */
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { speakText } from "../../local/person/line-audio.ts";
import type { SpokenText } from "../../local/person/line-audio.ts";
import { testClock } from "./test-clock.ts";

let recogniser: Promise<Recogniser> | undefined;
let synthesiser: Promise<Synthesiser> | undefined;
const spoken = new Map<string, Promise<Int16Array>>();

/** One decoder in one thread: what two streams ask of it happens one after the other. */
export function judgesRecogniser(): Promise<Recogniser> {
  recogniser ??= createLocalRecogniser({ warmDecoders: 1, maxDecoders: 1 });
  return recogniser;
}

function callersSynthesiser(): Promise<Synthesiser> {
  synthesiser ??= createLocalSynthesiser({ clock: testClock });
  return synthesiser;
}

/** What a caller says, made once for each text, voice and rate. */
export function spokenLine(line: SpokenText): Promise<Int16Array> {
  const key = JSON.stringify([line.text, line.voice, line.sampleRateHz]);
  const samples = spoken.get(key) ?? callersSynthesiser().then((voice) => speakText(voice, line));
  spoken.set(key, samples);
  return samples;
}
