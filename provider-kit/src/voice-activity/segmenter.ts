/**
 * Finds where speech starts, pauses and ends, from one verdict per 20 ms frame. Pure: frames in, steps out.
 * A segment starts when 4 of the last 7 frames were speech (80 ms of 140: a click is shorter, "no" is longer) and ends after the silence
 * that the session requires. Audio from shortly before the start belongs to it: a detector does not recognise a soft consonant as speech,
 * and yet it distinguishes "pay" from "day".
 */
import { countBits } from "./count-bits.ts";

export type SegmentStep =
  /** Nobody is speaking; retain the frame, because it may be needed as pre-roll. */
  | { readonly type: "idle" }
  /** Speech has started: pass on the last `prerollFrames` frames, including this one. */
  | { readonly type: "begin"; readonly startMs: number; readonly prerollFrames: number }
  | { readonly type: "continue" }
  /** The speaker has paused, and may have finished. `endMs`: when the last speech ended. */
  | { readonly type: "pause"; readonly endMs: number }
  /** The speaker continues after a pause. */
  | { readonly type: "resume" }
  /** `endMs` is when speech ended, not when the silence was long enough. */
  | { readonly type: "end"; readonly startMs: number; readonly endMs: number };

export interface Segmenter {
  next(isSpeech: boolean): SegmentStep;
  /** Ends the current segment now. */
  flush(): Extract<SegmentStep, { type: "end" }> | undefined;
}

const windowFrames = 7;
const neededOnsetFrames = 4;
/** 200 ms before the detection window. */
const leadFrames = 10;
export const maxPrerollFrames = windowFrames + leadFrames;
/** 140 ms: longer than the closure of a plosive, and slightly shorter than the session's own detector needs. */
const pauseFrames = 7;
/** Nobody speaks for longer without a pause, and a decoder's memory and work grow with the length. */
const maxSegmentMs = 20_000;

interface Segment {
  readonly startMs: number;
  lastSpeechMs: number;
  isPaused: boolean;
}

export function createSegmenter(options: { readonly frameMs: number; readonly silenceMs: number }): Segmenter {
  const { frameMs, silenceMs } = options;
  let frames = 0;
  /** The last verdicts, the newest in the lowest bit. */
  let window = 0;
  /** When the last speech of the previous segment ended. */
  let spokenUntilMs = 0;
  let segment: Segment | undefined;

  const end = (): Extract<SegmentStep, { type: "end" }> | undefined => {
    if (segment === undefined) return undefined;
    const { startMs, lastSpeechMs } = segment;
    segment = undefined;
    window = 0;
    spokenUntilMs = lastSpeechMs;
    return { type: "end", startMs, endMs: lastSpeechMs };
  };

  /** Speech after a pause needs as many frames as the first speech, so that a click does not prolong the segment. */
  const go = (running: Segment, isSpeech: boolean, nowMs: number): SegmentStep => {
    const wasPaused = running.isPaused;
    if (wasPaused ? countBits(window) >= neededOnsetFrames : isSpeech) {
      running.lastSpeechMs = nowMs;
      running.isPaused = false;
    }
    const silentMs = nowMs - running.lastSpeechMs;
    const isOver = silentMs >= silenceMs || nowMs - running.startMs >= maxSegmentMs;
    if (isOver) return end() ?? { type: "continue" };
    if (wasPaused && !running.isPaused) return { type: "resume" };
    if (wasPaused || silentMs < pauseFrames * frameMs) return { type: "continue" };
    running.isPaused = true;
    return { type: "pause", endMs: running.lastSpeechMs };
  };

  return {
    next(isSpeech) {
      frames += 1;
      const nowMs = frames * frameMs;
      window = ((window << 1) | (isSpeech ? 1 : 0)) & (2 ** windowFrames - 1);

      if (segment !== undefined) return go(segment, isSpeech, nowMs);
      if (countBits(window) < neededOnsetFrames) return { type: "idle" };
      const onsetFrames = 32 - Math.clz32(window);
      segment = { startMs: nowMs - onsetFrames * frameMs, lastSpeechMs: nowMs, isPaused: false };
      // The silence that ended the previous segment may be reused as pre-roll, but not its speech. A noise that has just started is often a
      // short segment of its own, and the sentence after it needs its soft consonants like any other.
      const prerollFrames = Math.min(onsetFrames + leadFrames, (nowMs - spokenUntilMs) / frameMs);
      return { type: "begin", startMs: segment.startMs, prerollFrames };
    },
    flush: end,
  };
}
