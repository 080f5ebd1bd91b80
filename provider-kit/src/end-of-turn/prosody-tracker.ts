/**
 * How the last words were said. Each frame costs a copy; level and pitch are looked for only when the caller has paused, in the
 * last half second of their speech.
 */
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import { slopeOf } from "./slope.ts";
import { pitchHz } from "./pitch.ts";

const rateHz = 16_000;
const frameSamples = (rateHz * vadFrameMs) / 1000;
/** 1 s of audio: the speech that is looked at, and the silence that it took to notice its end. */
const keptFrames = 50;
const pitchFrames = 25;
const energyFrames = 15;
/** -70 dBFS: silence has a level, too. */
const quietest = 3e-4;
const framesPerSecond = 1000 / vadFrameMs;

export interface ProsodyTracker {
  push(frame: Int16Array): void;
  /** Of the speech that ended so many frames ago. */
  measure(silentFrames: number): Prosody;
}

export function createProsodyTracker(): ProsodyTracker {
  const samples = new Int16Array(keptFrames * frameSamples);
  const window = new Int16Array(2 * frameSamples);
  let frames = 0;
  const slot = (framesAgo: number): number => (((frames - 1 - framesAgo) % keptFrames) + keptFrames) % keptFrames;

  /** The frame and the one before it: long enough for two periods of a low voice. */
  const pitchAt = (framesAgo: number): number | undefined => {
    const [earlier, later] = [slot(framesAgo + 1) * frameSamples, slot(framesAgo) * frameSamples];
    window.set(samples.subarray(earlier, earlier + frameSamples));
    window.set(samples.subarray(later, later + frameSamples), frameSamples);
    return pitchHz(window, rateHz);
  };

  return {
    push(frame) {
      const at = frames % keptFrames;
      samples.set(frame, at * frameSamples);
      frames++;
    },
    measure(silentFrames) {
      const known = Math.min(frames, keptFrames) - silentFrames - 1;
      const pitches: [number, number][] = [];
      for (let back = 0; back < Math.min(pitchFrames, known); back += 2) {
        const hz = pitchAt(silentFrames + back);
        if (hz !== undefined) pitches.push([-back / framesPerSecond, 12 * Math.log2(hz)]);
      }
      const energies: [number, number][] = [];
      for (let back = 0; back < Math.min(energyFrames, known); back++) {
        const from = slot(silentFrames + back) * frameSamples;
        const level = rmsLevel(samples.subarray(from, from + frameSamples));
        energies.push([-back / framesPerSecond, 20 * Math.log10(level + quietest)]);
      }
      return { pitchSlope: slopeOf(pitches), energySlope: slopeOf(energies) };
    },
  };
}
