/**
 * Selects the frames in which the caller speaks and removes everything that is no louder than the line's background. It is applied to the
 * whole segment once the caller has paused, because the levels of the voice and of the people behind it are not yet known when the first
 * word begins. Pure.
 */
import { holesAmong } from "@voice/provider-kit/audio/audio-hole";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { levelOf, noiseBeneath } from "./noise-estimate.ts";

export interface Foreground {
  /** For each frame, whether the caller speaks in it. */
  readonly isSpeech: readonly boolean[];
  /** The same regardless of whether it sounds like speech: a short word may be a single even vowel. */
  readonly isForeground: readonly boolean[];
  /** There is a background that the decoder could mistake for words. */
  readonly isNoisy: boolean;
  /** The power of each band of a noise that is present during the words but not between them, because something suppresses it there. */
  readonly cutNoise: Float64Array | undefined;
  /** A tone or a noise that lasts longer than any vowel: any words that the decoder finds in it were not spoken. */
  readonly isNoVoice: boolean;
}

/** The caller's speech, without the pauses. */
export interface ForegroundSpeech {
  readonly frames: readonly Int16Array[];
  /** Some of the line's own noise remains, so none has to be added. */
  readonly isNoisy: boolean;
}

/** A line whose quiet moments are softer than this has no relevant background. */
const quietLineDb = -60;
/** The threshold on a quiet line: below the loudest vowels, and above anything that is not speech. */
const quietLineRangeDb = 30;
/** Over a background, speech this much softer than the loudest vowels cannot be told from it. */
const noisyLineRangeDb = 22;
/** Vowels are never taken for background, however much it varies. */
const vowelRangeDb = 8;
/** Frames farther than this from anything loud count as background. */
const apartFrames = 3;
/** Margin for soft consonants before and after the loud frames. */
const keptBefore = 3;
const keptAfter = 3;
/** If half of the loud frames are within this range of the loudest, the sound is noise or a tone and not speech. */
const steadyDb = 1;
/**
 * A sound whose level varies by less than this from its beginning to its end is the line's own noise, with which a segment begins when the
 * line is opened.
 */
const evenDb = 3;
/**
 * White noise at 20 dB is estimated 17 to 26 dB below the loudest vowels of the voices of `bench:hearing`. Where there is no noise, the
 * estimate is 30 dB and more below them, and over a telephone 27 and more.
 */
const cutNoiseRangeDb = 27;
/** The upper level of a steady noise: its frames vary by 1 dB, and its estimate has an error of 2. */
const aboveNoiseDb = 4;
/** A second. */
const longestVowelFrames = 50;
const fewestBackgroundFrames = 5;

export function foregroundOf(heard: readonly Int16Array[]): Foreground {
  const levels = heard.map((frame) => 20 * Math.log10(Math.max(1e-5, rmsLevel(frame))));
  const isHole = holesAmong(heard);
  const sorted = levels.filter((_, at) => isHole[at] !== true).toSorted((a, b) => a - b);
  // A percentile instead of the maximum, because a click is louder than any vowel.
  const loudDb = sorted.at(-5) ?? sorted.at(-1) ?? 0;
  const floorDb = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const isNoisyAlways = floorDb >= quietLineDb;
  const cutNoise = isNoisyAlways ? undefined : noiseBehind(heard, levels, loudDb);
  const isNoisy = isNoisyAlways || cutNoise !== undefined;
  const limitDb = isNoisyAlways ? backgroundLimit(levels, isHole, { loudDb, floorDb }) : quietLimit(loudDb, cutNoise);
  const isLoud = levels.map((level) => level > limitDb);
  // A single loud frame is a click.
  const isLouder = isLoud.map((loud, at) => loud && (!isNoisy || isLoud[at - 1] === true || isLoud[at + 1] === true));
  const speechLevels = sorted.filter((level) => level > limitDb);
  const isSteady = loudDb - (speechLevels[speechLevels.length >> 1] ?? loudDb) < steadyDb;
  const isForeground = heard.map((_, at) => isNear(isLouder, at, keptAfter, keptBefore));
  return {
    isSpeech: isSteady ? heard.map(() => false) : isForeground,
    isForeground,
    isNoisy,
    cutNoise,
    isNoVoice: isOneSound(levels, loudDb) || loudDb - floorDb < evenDb,
  };
}

/** The noise during the words of a line that is quiet between them. */
function noiseBehind(
  heard: readonly Int16Array[],
  levels: readonly number[],
  loudDb: number,
): Float64Array | undefined {
  const isAudible = levels.map((level) => level >= quietLineDb);
  const noise = noiseBeneath(heard, isAudible);
  return noise !== undefined && levelOf(noise) > loudDb - cutNoiseRangeDb ? noise : undefined;
}

function quietLimit(loudDb: number, cutNoise: Float64Array | undefined): number {
  if (cutNoise === undefined) return loudDb - quietLineRangeDb;
  return Math.min(loudDb - vowelRangeDb, levelOf(cutNoise) + aboveNoiseDb);
}

/** Most of the audible frames are as loud as the loudest, and for a long time. */
function isOneSound(levels: readonly number[], loudDb: number): boolean {
  const within = (rangeDb: number): number => levels.filter((level) => level > loudDb - rangeDb).length;
  const steady = within(steadyDb);
  return steady > longestVowelFrames && 2 * steady > within(quietLineRangeDb);
}

/** The upper level of the background, from its mean and spread; which frames belong to it is found iteratively. */
function backgroundLimit(
  levels: readonly number[],
  isHole: readonly boolean[],
  { loudDb, floorDb }: { readonly loudDb: number; readonly floorDb: number },
): number {
  let limitDb = Math.max(loudDb - noisyLineRangeDb, (loudDb + floorDb) / 2);
  for (let pass = 0; pass < 3; pass++) {
    const isLoud = levels.map((level) => level > limitDb);
    const background = levels.filter((_, at) => isHole[at] !== true && !isNear(isLoud, at, apartFrames, apartFrames));
    if (background.length < fewestBackgroundFrames) break;
    const mean = background.reduce((sum, level) => sum + level, 0) / background.length;
    const variance = background.reduce((sum, level) => sum + (level - mean) ** 2, 0) / background.length;
    const above = Math.max(mean + 2 * Math.sqrt(variance) + 3, loudDb - quietLineRangeDb);
    limitDb = Math.min(loudDb - vowelRangeDb, above);
  }
  return limitDb;
}

/** Whether a marked frame is at most this many frames before or after this one. */
function isNear(marked: readonly boolean[], at: number, before: number, after: number): boolean {
  return marked.slice(Math.max(0, at - before), at + after + 1).includes(true);
}
