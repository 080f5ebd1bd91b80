/**
 * Measures the prosody of the last words. Level and pitch are computed only when the caller has paused, over the last half second of their
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
/**
 * How many samples have to be retained for it: half a second of speech, and 220 ms, which is longer than it takes to notice the end of
 * speech.
 */
export const prosodySamples = (pitchFrames + 11) * frameSamples;
/** -70 dBFS: the level of silence is limited to this. */
const quietest = 3e-4;
const framesPerSecond = 1000 / vadFrameMs;

/** One set for all sessions: it is read before anything else runs. */
const frame = new Int16Array(frameSamples);
const twoFrames = new Int16Array(2 * frameSamples);

/** For speech that ended `silentFrames` frames ago. `recent` holds the newest `prosodySamples` at 16 kHz. */
export function measureProsody(recent: RecentAudio, silentFrames: number): Prosody {
  const known = Math.min(recent.end, prosodySamples) / frameSamples - silentFrames - 1;
  const pitches: [number, number][] = [];
  for (let back = 0; back < Math.min(pitchFrames, known); back += 2) {
    // The frame and its predecessor: long enough for two periods of a low voice.
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
