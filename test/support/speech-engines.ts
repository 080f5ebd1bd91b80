/**
 * Speech engines that a worker starts once, at the first need, and that end with it: a voice for callers, whose lines it
 * keeps; recognisers for judges; and those of the services that are tested, which take half a second of a processor to start.
 */
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { speakText } from "../../local/person/line-audio.ts";
import type { SpokenText } from "../../local/person/line-audio.ts";
import { KnownSpeech } from "./known-speech.ts";
import { rememberSpeech } from "./remembered-speech.ts";
import { createRememberingRecogniser } from "./remembering-recogniser.ts";
import { spokenLinesFolder } from "./share-speech.ts";
import { testClock } from "./test-clock.ts";

let remembered: Promise<LocalSpeech> | undefined;
let decoded: Promise<LocalSpeech> | undefined;
let recogniser: Promise<Recogniser> | undefined;
let synthesiser: Promise<Synthesiser> | undefined;
const spoken = new Map<string, Promise<Int16Array>>();

/** Everything that is spoken here. */
const known = new KnownSpeech();

/**
 * For services within this process whose conversations are tested, and not the engine that hears them: what is spoken here is
 * recognised by its sound, in a hundredth of the time that decoding takes. A service that is closed leaves them running for the
 * next one.
 */
export function servicesSpeech(): Promise<LocalSpeech> {
  remembered ??= withVoice(createRememberingRecogniser(known));
  return remembered;
}

/** The same with the engine that the product has, on the tests' clock, which stands still while it is behind. */
export function decodedSpeech(): Promise<LocalSpeech> {
  decoded ??= withVoice(createLocalRecogniser({ clock: testClock }));
  return decoded;
}

async function withVoice(starting: Promise<Recogniser>): Promise<LocalSpeech> {
  const [heard, voice] = await Promise.all([starting, callersSynthesiser()]);
  const close = (): Promise<void> => Promise.resolve();
  return {
    recogniser: { open: (...given) => heard.open(...given), pool: () => heard.pool(), close },
    synthesiser: { synthesise: (...given) => voice.synthesise(...given), pool: () => voice.pool(), close },
  };
}

/** One decoder in one thread: what two streams ask of it happens one after the other. */
export function judgesRecogniser(): Promise<Recogniser> {
  recogniser ??= createLocalRecogniser({ warmDecoders: 1, maxDecoders: 1 });
  return recogniser;
}

/** Knows what has been spoken here, by whomever. */
export async function rememberingRecogniser(): Promise<Recogniser> {
  return (await servicesSpeech()).recogniser;
}

function callersSynthesiser(): Promise<Synthesiser> {
  synthesiser ??= createLocalSynthesiser({ clock: testClock }).then((voice) =>
    rememberSpeech(voice, { known, folder: spokenLinesFolder() }),
  );
  return synthesiser;
}

/** What a caller says, made once for each text, voice and rate. */
export function spokenLine(line: SpokenText): Promise<Int16Array> {
  const key = JSON.stringify([line.text, line.voice, line.sampleRateHz]);
  const samples = spoken.get(key) ?? callersSynthesiser().then((voice) => speakText(voice, line));
  spoken.set(key, samples);
  return samples;
}
