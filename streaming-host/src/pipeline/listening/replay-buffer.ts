/** The audio that the recogniser has not finalised yet, kept so that its successor can hear it again (FAIL-4). */

/** 15 s at 20 ms, 480 KB: longer than any single utterance a recogniser keeps open. */
const maxFrames = 750;

/** 400 ms before speech: a word's onset is quieter than what the detector calls speech. */
const preRollFrames = 20;

export interface ReplayBuffer {
  push(frame: Int16Array): void;
  /** Everything but the newest frames is final. */
  markFinal(newestFrames: number): void;
  /** Nobody speaks: only the pre-roll is worth keeping. */
  trim(): void;
  readonly frames: readonly Int16Array[];
}

export function createReplayBuffer(): ReplayBuffer {
  let frames: Int16Array[] = [];
  const trim = (): void => {
    if (frames.length > preRollFrames * 2) frames = frames.slice(-preRollFrames);
  };
  return {
    push(frame) {
      frames.push(frame);
      if (frames.length > maxFrames) frames.shift();
    },
    markFinal(newestFrames) {
      frames = frames.slice(-Math.max(preRollFrames, newestFrames));
    },
    trim,
    get frames() {
      return frames;
    },
  };
}
