/** Recordings of people, at the rate at which all lines of the bench begin. */
import { readFile } from "node:fs/promises";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import { samplesFromBytes } from "@voice/provider-kit/audio/pcm16";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { hearingRateHz } from "../callers.ts";

/** A WAV file, or samples without a header at 16 kHz (`.raw`). */
export async function readRecording(path: string): Promise<Int16Array> {
  const bytes = await readFile(path);
  if (path.endsWith(".raw")) return samplesFromBytes(bytes);
  const { samples, sampleRateHz } = decodeWav(bytes);
  return sampleRateHz === hearingRateHz ? samples : resampleAll(samples, sampleRateHz, hearingRateHz);
}

/** Numbers from 0 to 1 that are the same for the same seed, on every machine. */
export function numbersFrom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
