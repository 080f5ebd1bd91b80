/**
 * Measures the prosody of the last words. Level and pitch are computed only when the caller has paused, over the last half second of their
 * speech.
 */
import type { RecentAudio } from "@voice/provider-kit/audio/recent-audio";
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";

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
  const levelDb = (framesAgo: number): number => {
    recent.read(frame, framesAgo * frameSamples);
    return 20 * Math.log10(rmsLevel(frame) + quietest);
  };
  const levels = Array.from({ length: Math.max(0, Math.min(pitchFrames, known)) }, (_, back) =>
    levelDb(silentFrames + back),
  );
  const energies = levels.slice(0, energyFrames).map((level, back) => [-back / framesPerSecond, level] as const);
  const silence = Array.from({ length: silentFrames }, (_, at) => levelDb(at));
  return { pitchSlope: slopeOf(pitches), energySlope: slopeOf(energies), overNoiseDb: above(levels, silence) };
}

/** A vowel lasts as long; fewer frames are a click. */
const loudFrames = 3;
/** Nobody who can be understood speaks more softly. */
const faintestDb = -60;

/** The loudest of the words, above the quietest of what follows them: the end of the last word may still be in it. */
function above(words: readonly number[], silence: readonly number[]): number | undefined {
  const loud = words.toSorted((one, other) => other - one)[loudFrames - 1];
  const floor = silence.toSorted((one, other) => one - other)[Math.floor(silence.length / 4)];
  return loud === undefined || floor === undefined || loud < faintestDb ? undefined : loud - floor;
}

const lowestHz = 65;
const highestHz = 380;
/** A lower correlation is not a voice. */
const leastCorrelation = 0.55;
/** 8 kHz is sufficient to measure pitch. */
const step = 2;

/** The fundamental frequency of a voice, by normalised autocorrelation. */
function pitchHz(samples: Int16Array, sampleRateHz: number): number | undefined {
  const rateHz = sampleRateHz / step;
  const shortest = Math.floor(rateHz / highestHz);
  const longest = Math.ceil(rateHz / lowestHz);
  const length = Math.floor(samples.length / step) - longest;
  let best = 0;
  let bestLag = 0;
  for (let lag = shortest; lag <= longest; lag++) {
    let product = 0;
    let here = 0;
    let there = 0;
    for (let index = 0; index < length; index++) {
      const a = samples[index * step] ?? 0;
      const b = samples[(index + lag) * step] ?? 0;
      product += a * b;
      here += a * a;
      there += b * b;
    }
    const correlation = product / Math.sqrt(here * there + 1);
    // Every multiple of the period correlates as well, so a longer one must be clearly better.
    if (correlation > best + 0.03) [best, bestLag] = [correlation, lag];
  }
  return best < leastCorrelation ? undefined : rateHz / bestLag;
}

/** Fewer points show no direction. */
const fewestPoints = 5;

/** The slope of the straight line through points (x, y), by least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number | undefined {
  if (points.length < fewestPoints) return undefined;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  let spread = 0;
  let together = 0;
  for (const [x, y] of points) {
    spread += (x - meanX) ** 2;
    together += (x - meanX) * (y - meanY);
  }
  return together / spread;
}
