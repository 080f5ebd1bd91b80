/**
 * How late each frame of an answer comes, against the pace that the frames before it kept: what a caller's jitter buffer
 * would have to make up for. Pure.
 */

export interface FrameLateness {
  /** A frame has come. `frameMs` is how long it plays. */
  arrived(atMs: number, frameMs: number): void;
  /** The answer is over; the next frame begins another one, at a pace of its own. */
  ended(): void;
  /** The longest since it was last asked. */
  takeLongestMs(): number;
}

export function createFrameLateness(): FrameLateness {
  let playedMs = 0;
  /** When the answer would have begun at the pace of its earliest frame: the first ones come ahead of time. */
  let startMs = Number.POSITIVE_INFINITY;
  let longestMs = 0;
  return {
    arrived(atMs, frameMs) {
      const offsetMs = atMs - playedMs;
      startMs = Math.min(startMs, offsetMs);
      longestMs = Math.max(longestMs, offsetMs - startMs);
      playedMs += frameMs;
    },
    ended() {
      playedMs = 0;
      startMs = Number.POSITIVE_INFINITY;
    },
    takeLongestMs() {
      const taken = longestMs;
      longestMs = 0;
      // After a gap the pace begins anew: what was late once does not count for what is tried next.
      playedMs = 0;
      startMs = Number.POSITIVE_INFINITY;
      return taken;
    },
  };
}
