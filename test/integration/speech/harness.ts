/** An emulated Speech service and everything that a test of an adapter needs around it. */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { VoiceError } from "@voice/shared/platform/errors";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import type { ScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { startSpeechEmulator } from "@voice/local/emulators/speech/emulator";
import type { SpeechEmulator, SpeechEmulatorOptions } from "@voice/local/emulators/speech/emulator";
import { createToneSynthesiser, tone } from "@voice/local/emulators/tone-synthesiser";
import type { AzureRecogniserOptions } from "@voice/streaming-host/providers/azure/recogniser";
import type {
  RecognisedText,
  RecognitionEvents,
  RecognitionOptions,
  RecognitionStream,
} from "@voice/provider-kit/ports/recogniser";
import { patientMs } from "./patience.ts";

export const speechKey = "speech-resource-key";
const sampleRateHz = 16_000;
const frameSamples = sampleRateHz / 50;

export type SpeechService = { readonly emulator: SpeechEmulator; readonly script: ScriptedRecogniser["script"] };

export async function startSpeechService(options: Partial<SpeechEmulatorOptions> = {}): Promise<SpeechService> {
  const recogniser = createScriptedRecogniser();
  const emulator = await startSpeechEmulator({
    recogniser,
    synthesiser: createToneSynthesiser(),
    key: speechKey,
    ...options,
  });
  return { emulator, script: (...texts) => recogniser.script(...texts) };
}

export const recognitionOptions: RecognitionOptions = {
  sampleRateHz,
  language: "en-US",
  candidateLanguages: [],
  segmentationSilenceMs: 300,
  hints: { examples: [], phrases: [] },
};

export function recogniserOptions(endpoint: string, warmSize = 0): AzureRecogniserOptions {
  const { hints: _, ...profile } = recognitionOptions;
  return {
    endpoint: { location: { kind: "host", url: endpoint }, credential: { kind: "key", key: speechKey } },
    warm: { size: warmSize, profile },
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    connectTimeoutMs: patientMs,
    clock: systemClock,
    logger: silentLogger,
  };
}

export type Heard = RecognitionEvents & {
  readonly partials: RecognisedText[];
  readonly finals: RecognisedText[];
  readonly errors: VoiceError[];
};

export function createListener(): Heard {
  const partials: RecognisedText[] = [];
  const finals: RecognisedText[] = [];
  const errors: VoiceError[] = [];
  return {
    partials,
    finals,
    errors,
    onPartial: (partial) => partials.push(partial),
    onFinal: (final) => finals.push(final),
    onError: (error) => errors.push(error),
  };
}

/** Speech for `speechMs`, then silence, in 20 ms frames. */
export function say(stream: RecognitionStream, speechMs: number, silenceMs: number): void {
  const samples = tone(sampleRateHz, speechMs, silenceMs);
  for (let start = 0; start < samples.length; start += frameSamples) {
    stream.write(samples.subarray(start, start + frameSamples));
  }
}

export const neverAborted: AbortSignal = new AbortController().signal;
