/**
 * How late each frame of an answer comes, against the pace that the frames before it kept: what a caller's jitter buffer
 * would have to make up for. Pure.
 */

import type { Stall } from "./loop-watch.ts";

export interface LateFrame {
  readonly atMs: number;
  readonly lateMs: number;
}

export interface FrameLateness {
  /** A frame has come. `frameMs` is how long it plays. */
  arrived(atMs: number, frameMs: number): void;
  /** The answer is over; the next frame begins another one, at a pace of its own. */
  ended(): void;
  /** Returns the frames that were late since the last call. */
  take(): readonly LateFrame[];
}

/** Timers have a resolution of one, so a frame that is less late than this is on time. */
const onTimeMs = 3;
/** What happens within this of each other happens for the same reason, if that is the machine. */
const togetherMs = 50;

export function createFrameLateness(): FrameLateness {
  let playedMs = 0;
  /** When the answer would have begun at the pace of its earliest frame: the first ones come ahead of time. */
  let startMs = Number.POSITIVE_INFINITY;
  let late: LateFrame[] = [];
  const anew = (): void => {
    playedMs = 0;
    startMs = Number.POSITIVE_INFINITY;
  };
  return {
    arrived(atMs, frameMs) {
      const offsetMs = atMs - playedMs;
      startMs = Math.min(startMs, offsetMs);
      if (offsetMs - startMs > onTimeMs) late.push({ atMs, lateMs: offsetMs - startMs });
      playedMs += frameMs;
    },
    ended: anew,
    take() {
      const taken = late;
      late = [];
      // After a gap the pace begins anew: what was late once does not count for what is tried next.
      anew();
      return taken;
    },
  };
}

export function latestMs(frames: readonly LateFrame[]): number {
  return frames.reduce((latest, { lateMs }) => Math.max(latest, lateMs), 0);
}

/**
 * The latest of the service's frames, less what the machine did: what the frames of a server that does nothing else were late
 * at the same moment (these come over the same machine to the same process), or how long the service waited for a processor
 * that somebody else had, whichever is more.
 */
export function latestOfItselfMs(
  frames: readonly LateFrame[],
  machine: { readonly idle: readonly LateFrame[]; readonly stalls: readonly Pick<Stall, "atMs" | "queuedMs">[] },
): number {
  return frames.reduce((latest, { atMs, lateMs }) => {
    if (lateMs <= latest) return latest;
    const isThen = (other: { readonly atMs: number }): boolean =>
      other.atMs >= atMs - lateMs - togetherMs && other.atMs <= atMs + togetherMs;
    const queuedMs = machine.stalls.filter(isThen).reduce((sum, stall) => sum + stall.queuedMs, 0);
    return Math.max(latest, lateMs - Math.max(queuedMs, latestMs(machine.idle.filter(isThen))));
  }, 0);
}
