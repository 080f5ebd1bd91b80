/** Turns a line into the samples of a microphone: spoken by a synthetic voice, or read from a recording. */
import { readFile } from "node:fs/promises";

import { VoiceError } from "@voice/shared/platform/errors";
import { mixToMono } from "@voice/streaming-host/audio/channels";
import { resampleAll } from "@voice/streaming-host/audio/resample";
import { decodeWav } from "@voice/streaming-host/audio/wav";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";

const SYNTHESIS_TIMEOUT_MS = 15_000;

export interface SpokenText {
  readonly text: string;
  readonly voice: string;
  readonly sampleRateHz: number;
}

export async function speakText(
  synthesiser: Synthesiser,
  { text, voice, sampleRateHz }: SpokenText,
): Promise<Int16Array> {
  const chunks: Int16Array[] = [];
  await synthesiser.synthesise(
    { text, voice: { name: voice }, language: "en-US", sampleRateHz },
    { onAudio: (samples) => chunks.push(samples), onWord: () => undefined },
    AbortSignal.timeout(SYNTHESIS_TIMEOUT_MS),
  );
  return concatenate(chunks);
}

/** Any PCM16 WAV, mixed down and converted to the rate that the session wants. */
export async function readRecording(path: string, sampleRateHz: number): Promise<Int16Array> {
  try {
    const audio = decodeWav(await readFile(path));
    return resampleAll(mixToMono(audio.samples, audio.channels), audio.sampleRateHz, sampleRateHz);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unreadable";
    throw new VoiceError("audio_format_unsupported", `cannot use ${path}: ${why}`, { cause });
  }
}

function concatenate(chunks: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
