/**
 * The frames in which the caller speaks, of all that were heard: what lies before, between and after, and is no louder than
 * the line's background, is left out. Judged when the caller has paused, by everything heard: how loud a voice is, and how
 * loud the people behind it, nobody knows while its first word begins. Pure.
 */
import { rmsLevel } from "@voice/provider-kit/audio/levels";

export interface Foreground {
  /** Of each frame: whether the caller speaks in it. */
  readonly isSpeech: readonly boolean[];
  /** There is a background that a decoder could take for words. */
  readonly isNoisy: boolean;
  /** A tone, or noise, for longer than a vowel is held: whatever a decoder makes of it, nobody has said it. */
  readonly isNoVoice: boolean;
}

/** A line whose quiet moments are softer has no background to speak of. */
const QUIET_LINE_DB = -60;
/** On a quiet line: below the loudest vowels, and louder than anything that is not speech. */
const QUIET_LINE_RANGE_DB = 30;
/** Softer than the loudest vowels by so much, nothing over a background can be told from it. */
const NOISY_LINE_RANGE_DB = 22;
/** Vowels are never taken for background, however much it varies. */
const VOWEL_RANGE_DB = 8;
/** What counts as background: farther than this from anything loud. */
const APART_FRAMES = 3;
/** Soft consonants before and after what is loud. */
const KEPT_BEFORE = 3;
const KEPT_AFTER = 3;
/** Half of what is loud is as loud as the loudest: noise or a tone, and not somebody who speaks. */
const STEADY_DB = 1;
/** A second. */
const LONGEST_VOWEL_FRAMES = 50;
const FEWEST_BACKGROUND_FRAMES = 5;

export function foregroundOf(heard: readonly Int16Array[]): Foreground {
  const levels = heard.map((frame) => 20 * Math.log10(Math.max(1e-5, rmsLevel(frame))));
  const sorted = levels.toSorted((a, b) => a - b);
  // Not the very extremes: a click is louder than any vowel.
  const loudDb = sorted.at(-5) ?? sorted.at(-1) ?? 0;
  const floorDb = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const isNoisy = floorDb >= QUIET_LINE_DB;
  const limitDb = isNoisy ? backgroundLimit(levels, loudDb, floorDb) : loudDb - QUIET_LINE_RANGE_DB;
  const isLoud = levels.map((level) => level > limitDb);
  // A single frame is a click.
  const isLouder = isLoud.map((loud, at) => loud && (!isNoisy || isLoud[at - 1] === true || isLoud[at + 1] === true));
  const speechLevels = sorted.filter((level) => level > limitDb);
  const isSteady = loudDb - (speechLevels[speechLevels.length >> 1] ?? loudDb) < STEADY_DB;
  return {
    isSpeech: heard.map((_, at) => !isSteady && isNear(isLouder, at, KEPT_AFTER, KEPT_BEFORE)),
    isNoisy,
    isNoVoice: isOneSound(levels, loudDb),
  };
}

/** Of everything that can be heard, more is as loud as the loudest than is not, and for long. */
function isOneSound(levels: readonly number[], loudDb: number): boolean {
  const within = (rangeDb: number): number => levels.filter((level) => level > loudDb - rangeDb).length;
  const steady = within(STEADY_DB);
  return steady > LONGEST_VOWEL_FRAMES && 2 * steady > within(QUIET_LINE_RANGE_DB);
}

/** How loud the background gets: by its mean and spread, found together with what belongs to it. */
function backgroundLimit(levels: readonly number[], loudDb: number, floorDb: number): number {
  let limitDb = Math.max(loudDb - NOISY_LINE_RANGE_DB, (loudDb + floorDb) / 2);
  for (let pass = 0; pass < 3; pass++) {
    const isLoud = levels.map((level) => level > limitDb);
    const background = levels.filter((_, at) => !isNear(isLoud, at, APART_FRAMES, APART_FRAMES));
    if (background.length < FEWEST_BACKGROUND_FRAMES) break;
    const mean = background.reduce((sum, level) => sum + level, 0) / background.length;
    const variance = background.reduce((sum, level) => sum + (level - mean) ** 2, 0) / background.length;
    const above = Math.max(mean + 2 * Math.sqrt(variance) + 3, loudDb - QUIET_LINE_RANGE_DB);
    limitDb = Math.min(loudDb - VOWEL_RANGE_DB, above);
  }
  return limitDb;
}

/** Whether one of the marked frames lies up to so many frames before, or after. */
function isNear(marked: readonly boolean[], at: number, before: number, after: number): boolean {
  return marked.slice(Math.max(0, at - before), at + after + 1).includes(true);
}
