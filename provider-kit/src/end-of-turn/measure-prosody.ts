/**
 * How the last words were said. Level and pitch are looked for only when the caller has paused, in the last half second of their
 * speech.
 */
import type { RecentAudio } from "@voice/provider-kit/audio/recent-audio";
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import { slopeOf } from "./slope.ts";
import { pitchHz } from "./pitch.ts";

const rateHz = 16_000;
const frameSamples = (rateHz * vadFrameMs) / 1000;
const pitchFrames = 25;
const energyFrames = 15;
/** What has to be kept for it: half a second of speech, and 220 ms, longer than it takes to notice that it is over. */
export const prosodySamples = (pitchFrames + 11) * frameSamples;
/** -70 dBFS: silence has a level, too. */
const quietest = 3e-4;
const framesPerSecond = 1000 / vadFrameMs;

/** One set for all: they are read before anything else runs. */
const frame = new Int16Array(frameSamples);
const twoFrames = new Int16Array(2 * frameSamples);

/** Of the speech that ended so many frames ago. `recent` has the newest `prosodySamples` at 16 kHz. */
export function measureProsody(recent: RecentAudio, silentFrames: number): Prosody {
  const known = Math.min(recent.end, prosodySamples) / frameSamples - silentFrames - 1;
  const pitches: [number, number][] = [];
  for (let back = 0; back < Math.min(pitchFrames, known); back += 2) {
    // The frame and the one before it: long enough for two periods of a low voice.
    recent.read(twoFrames, (silentFrames + back) * frameSamples);
    const hz = pitchHz(twoFrames, rateHz);
    if (hz !== undefined) pitches.push([-back / framesPerSecond, 12 * Math.log2(hz)]);
  }
  const energies: [number, number][] = [];
  for (let back = 0; back < Math.min(energyFrames, known); back++) {
    recent.read(frame, (silentFrames + back) * frameSamples);
    energies.push([-back / framesPerSecond, 20 * Math.log10(rmsLevel(frame) + quietest)]);
  }
  return { pitchSlope: slopeOf(pitches), energySlope: slopeOf(energies) };
}
