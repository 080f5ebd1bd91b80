/**
 * Holes in received audio: a telephone network and a browser insert digital silence where a packet was lost. A hole says nothing about how
 * quiet the line is. If it counted as the quietest moment, steady noise would stand out like speech for as long as that moment is
 * remembered.
 */

/** 200 ms of 20 ms frames. Losses are shorter; a longer silence means that the line is silent, or was muted. */
const longestHoleFrames = 10;

/** A hole need not start with a frame. If half of a frame remains, its level is 3 dB too low, which does no harm. */
function isMostlySilent(frame: Int16Array): boolean {
  const half = frame.length / 2;
  let sounds = 0;
  for (let index = 0; index < frame.length; index++) if (frame[index] !== 0 && ++sounds >= half) return false;
  return true;
}

/** Used while frames arrive one by one. Every frame of 20 ms passes here. */
export class AudioHoles {
  #silentFrames = 0;

  /** Whether the next frame may be part of a hole. */
  next(frame: Int16Array): boolean {
    this.#silentFrames = isMostlySilent(frame) ? this.#silentFrames + 1 : 0;
    return this.#silentFrames > 0 && this.#silentFrames <= longestHoleFrames;
  }
}

/** For each frame of 20 ms, whether it is part of a hole with sound on both sides. */
export function holesAmong(frames: readonly Int16Array[]): boolean[] {
  const isHole = frames.map(() => false);
  let soundedAt: number | undefined;
  for (const [at, frame] of frames.entries()) {
    if (isMostlySilent(frame)) continue;
    if (soundedAt !== undefined && at - soundedAt - 1 <= longestHoleFrames) isHole.fill(true, soundedAt + 1, at);
    soundedAt = at;
  }
  return isHole;
}
