/**
 * Where speech begins and ends, from one verdict per 20 ms frame. Pure: frames in, what to do with them out.
 *
 * A segment begins when 4 of the last 7 frames were speech (80 ms of 140: a click is shorter, "no" is longer) and ends
 * after the silence that the session asks for. What was heard shortly before the beginning belongs to it: a soft
 * consonant is no speech to a detector and yet decides between "pay" and "day".
 */

export interface SegmenterOptions {
  readonly frameMs: number;
  readonly silenceMs: number;
}

export type SegmentStep =
  /** Nobody speaks; keep the frame, it may be needed as pre-roll. */
  | { readonly type: "idle" }
  /** Speech began: feed the last `prerollFrames` frames, this one included. */
  | { readonly type: "begin"; readonly startMs: number; readonly prerollFrames: number }
  | { readonly type: "continue" }
  /** `endMs` is when speech ended, not when the silence was long enough. */
  | { readonly type: "end"; readonly startMs: number; readonly endMs: number };

export interface Segmenter {
  next(isSpeech: boolean): SegmentStep;
  /** Ends a running segment now. */
  flush(): Extract<SegmentStep, { type: "end" }> | undefined;
}

const WINDOW_FRAMES = 7;
const ONSET_FRAMES = 4;
/** Before the window: 200 ms. */
const LEAD_FRAMES = 10;
export const maxPrerollFrames = WINDOW_FRAMES + LEAD_FRAMES;
/** Nobody says one thing for longer; a decoder's memory and work grow with it. */
const MAX_SEGMENT_MS = 20_000;

export function createSegmenter(options: SegmenterOptions): Segmenter {
  const { frameMs } = options;
  let frames = 0;
  /** The last verdicts, newest in the lowest bit. */
  let window = 0;
  let framesSinceEnd = 0;
  let segment: { readonly startMs: number; lastSpeechMs: number } | undefined;

  const end = (): Extract<SegmentStep, { type: "end" }> | undefined => {
    if (segment === undefined) return undefined;
    const { startMs, lastSpeechMs } = segment;
    segment = undefined;
    window = 0;
    framesSinceEnd = 0;
    return { type: "end", startMs, endMs: lastSpeechMs };
  };

  return {
    next(isSpeech) {
      frames += 1;
      framesSinceEnd += 1;
      const nowMs = frames * frameMs;
      window = ((window << 1) | (isSpeech ? 1 : 0)) & (2 ** WINDOW_FRAMES - 1);

      if (segment !== undefined) {
        if (isSpeech) segment.lastSpeechMs = nowMs;
        const isOver = nowMs - segment.lastSpeechMs >= options.silenceMs || nowMs - segment.startMs >= MAX_SEGMENT_MS;
        return (isOver ? end() : undefined) ?? { type: "continue" };
      }
      if (countBits(window) < ONSET_FRAMES) return { type: "idle" };
      const onsetFrames = 32 - Math.clz32(window);
      segment = { startMs: nowMs - onsetFrames * frameMs, lastSpeechMs: nowMs };
      // Not into the segment before: its audio was recognised already.
      const prerollFrames = Math.min(onsetFrames + LEAD_FRAMES, framesSinceEnd);
      return { type: "begin", startMs: segment.startMs, prerollFrames };
    },
    flush: end,
  };
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
