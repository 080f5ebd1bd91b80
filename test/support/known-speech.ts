/**
 * Lines whose audio is known, found again in what is heard: by how loud they are from 20 ms to 20 ms, which another sample
 * rate and another alignment of frames leave as it is, and in which two lines differ after a fifth of a second.
 */
import type { SpokenWord } from "@voice/provider-kit/ports/synthesiser";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { spokenForm } from "@voice/local-voice/recogniser/examples";

interface KnownLine {
  readonly text: string;
  readonly words: readonly SpokenWord[];
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

/** Words that were heard, or undefined for a sound that belongs to no known line. */
export type RecognisedWords = readonly string[] | undefined;

interface Word {
  readonly words: readonly string[];
  /** In frames from the beginning of the line. */
  readonly from: number;
  readonly until: number;
}

interface Line {
  readonly words: readonly Word[];
  /** The level of each frame that begins there, `hopsPerFrame` for each frame. */
  readonly levels: Float32Array;
  /** How many of its frames can be heard. */
  readonly loudFrames: number;
}

/** A line, and the hop of it at which what was heard begins. */
interface Place {
  readonly line: Line;
  readonly hop: number;
}

interface Run extends Place {
  /** How many frames fit. */
  readonly frames: number;
  /** How many of these can be heard. */
  readonly loud: number;
  readonly meanDifferenceDb: number;
}

/** What a telephone leaves of a voice, so that it makes no difference whether there was one. */
export const knownSpeechRateHz = 8000;
const frameSamples = 160;
/** 2.5 ms: however a line's frames were cut, one of these is nearly the same. */
const hopSamples = 20;
const hopsPerFrame = frameSamples / hopSamples;
/** Of full scale. Softer is silence; synthetic voices are 40 dB louder. */
const floorDb = -55;
const loudDb = -45;
/** Resampling and the alignment change the level of a frame by less than one decibel, at the onset of a word by a few. */
const fitsDb = 4;
const meanFitsDb = 1.5;
/** At a plosive even more, for a frame or two. */
const mostMisfits = 2;
/** 80 ms. What is shorter is no word, but the end of one. */
const shortestSoundFrames = 4;
/** 200 ms. */
const fewestLoudFrames = 10;
/** 80 ms: the vowel of a line that is one short word, and was heard from its beginning to its end. */
const fewestOfShortLine = 4;
/** A word of which less was heard was cut off. */
const leastShare = 0.6;

function levelOf(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return decibels(sum / frame.length);
}

function decibels(meanSquare: number): number {
  return Math.max(floorDb, 10 * Math.log10(meanSquare / 32_768 ** 2));
}

export class KnownSpeech {
  readonly #lines: Line[] = [];

  add({ text, words, samples, sampleRateHz }: KnownLine): void {
    const msPerFrame = (frameSamples * 1000) / knownSpeechRateHz;
    const levels = levelsOf(resampleAll(samples, sampleRateHz, knownSpeechRateHz));
    this.#lines.push({
      levels,
      loudFrames: Math.floor(levels.filter((level) => level > loudDb).length / hopsPerFrame),
      words: words.map(({ textOffset, textLength, startMs, endMs }) => ({
        words: spokenForm(text.slice(textOffset, textOffset + textLength)),
        from: startMs / msPerFrame,
        until: endMs / msPerFrame,
      })),
    });
  }

  /** Somebody who begins to speak. */
  listen(): Listening {
    return new Listening(this.#lines);
  }
}

/** What one person says without a longer pause. */
class Listening {
  readonly #lines: readonly Line[];
  readonly #levels: number[] = [];
  /** What was found, by the frame at which it begins; it is looked for anew only where more was heard than it explains. */
  readonly #found = new Map<number, Place | "unknown">();

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  /** A frame of 20 ms, at `knownSpeechRateHz`. */
  hear(frame: Int16Array): void {
    this.#levels.push(levelOf(frame));
  }

  /** What was said up to now. Silence has no words. */
  words(): RecognisedWords[] {
    const levels = this.#levels;
    const heard: RecognisedWords[] = [];
    let at = nextLoud(levels, 0);
    while (at < levels.length) {
      const run = this.#runFrom(at);
      if (run === undefined) {
        const until = nextSilence(levels, at);
        if (until - at >= shortestSoundFrames) heard.push(undefined);
        at = nextLoud(levels, until);
      } else {
        heard.push(wordsOf(run));
        at = nextLoud(levels, at + run.frames);
      }
    }
    return heard;
  }

  #runFrom(at: number): Run | undefined {
    const known = this.#found.get(at);
    if (known === "unknown") return undefined;
    const before = known === undefined ? undefined : fit(known, this.#levels, at);
    if (before !== undefined && explainsAll(before, this.#levels, at)) return before;
    const loud = this.#levels.slice(at).filter((level) => level > loudDb).length;
    if (loud < fewestOfShortLine) return undefined;
    const run = this.#search(at);
    if (run !== undefined) this.#found.set(at, run);
    else if (loud > 2 * fewestLoudFrames) this.#found.set(at, "unknown");
    return run;
  }

  /** The line that explains most of what follows. */
  #search(at: number): Run | undefined {
    let best: Run | undefined;
    const second = this.#levels[at + 1] ?? floorDb;
    const third = this.#levels[at + 2] ?? floorDb;
    for (const line of this.#lines) {
      const { levels } = line;
      for (let hop = 0; hop < levels.length; hop++) {
        // Almost all places differ here already. The first frame may have begun before the line did.
        const differs =
          Math.abs((levels[hop + hopsPerFrame] ?? floorDb) - second) > fitsDb &&
          Math.abs((levels[hop + 2 * hopsPerFrame] ?? floorDb) - third) > fitsDb;
        if (differs) continue;
        const run = fit({ line, hop }, this.#levels, at);
        if (run !== undefined && (best === undefined || worthOf(run) > worthOf(best))) best = run;
      }
    }
    return best;
  }
}

/** Up to the end of the line, or to what was heard last. */
function explainsAll({ line, hop, frames }: Run, levels: readonly number[], at: number): boolean {
  const isOver = hop + frames * hopsPerFrame >= line.levels.length;
  return isOver || levels.length - at - frames <= mostMisfits;
}

function worthOf({ loud, meanDifferenceDb }: Run): number {
  return loud * (1 - meanDifferenceDb / (2 * meanFitsDb));
}

/** How far what is heard goes on as the line does. */
function fit({ line, hop }: Place, levels: readonly number[], at: number): Run | undefined {
  let run = { frames: 0, loud: 0, differenceDb: 0 };
  let { loud, differenceDb } = run;
  for (let frames = 1; at + frames <= levels.length && frames - run.frames <= mostMisfits + 1; frames++) {
    const expected = line.levels[hop + (frames - 1) * hopsPerFrame];
    if (expected === undefined) break; // the line is over
    const actual = levels[at + frames - 1] ?? floorDb;
    const byDb = Math.abs(expected - actual);
    if (actual > loudDb || expected > loudDb) {
      loud += 1;
      differenceDb += Math.min(byDb, 2 * fitsDb);
    }
    if (byDb <= fitsDb) run = { frames, loud, differenceDb };
  }
  const isWhole = run.loud >= fewestOfShortLine && run.loud >= line.loudFrames;
  if ((run.loud < fewestLoudFrames && !isWhole) || run.differenceDb > run.loud * meanFitsDb) return undefined;
  return { line, hop, frames: run.frames, loud: run.loud, meanDifferenceDb: run.differenceDb / run.loud };
}

/** What is too soft to be heard is part of what is heard beside it. */
function wordsOf({ line: { words, levels }, hop, frames }: Run): string[] {
  let first = hop;
  while (first > 0 && (levels[Math.max(0, first - hopsPerFrame)] ?? floorDb) <= loudDb) first -= 1;
  let end = hop + frames * hopsPerFrame;
  while (end < levels.length && (levels[end] ?? floorDb) <= loudDb) end += 1;
  const from = first / hopsPerFrame;
  const until = end / hopsPerFrame;
  return words
    .filter((word) => Math.min(word.until, until) - Math.max(word.from, from) >= leastShare * (word.until - word.from))
    .flatMap((word) => word.words);
}

function levelsOf(samples: Int16Array): Float32Array {
  const squares = new Float64Array(samples.length + 1);
  for (const [index, sample] of samples.entries()) squares[index + 1] = (squares[index] ?? 0) + sample * sample;
  const sumUntil = (index: number): number => squares[Math.min(index, samples.length)] ?? 0;
  return Float32Array.from({ length: Math.ceil(samples.length / hopSamples) }, (_, hop) =>
    decibels((sumUntil(hop * hopSamples + frameSamples) - sumUntil(hop * hopSamples)) / frameSamples),
  );
}

function nextLoud(levels: readonly number[], from: number): number {
  let at = from;
  while (at < levels.length && (levels[at] ?? floorDb) <= loudDb) at += 1;
  return at;
}

function nextSilence(levels: readonly number[], from: number): number {
  let at = from;
  while (at < levels.length && (levels[at] ?? floorDb) > loudDb) at += 1;
  return at;
}
