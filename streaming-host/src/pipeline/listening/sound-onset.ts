/**
 * Notices that a sound begins out of quiet while the agent is audible (BARGE-11). The detector of speech needs a vowel: an "s", "f" or "h" is
 * noise to it, so a word that begins with one is detected 100 to 200 ms late, and the agent talks over it.
 *
 * Pure, on the frame path, from the level of each frame alone.
 */
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";

/** Three of four frames: clicks of keys and of the line are shorter, and no consonant is. */
const newestFrames = 4;
const framesOfSound = 3;
/**
 * 10 dB louder than everything in the second before. In a second of the agent's speech its echo would have been heard, if there is one, and
 * so would music, other people and traffic.
 */
const louderBy = 10 ** (10 / 20);
const quietFrames = 1000 / vadFrameMs;
/** -46 dBFS: an "s" said into a telephone is at -40 to -30. */
const faintest = 10 ** (-46 / 20);
/** The echo of the agent's first word arrives within 0.7 s; half of what is looked back upon has to come after it. */
const framesOfAgent = 1400 / vadFrameMs;
const keptFrames = quietFrames + newestFrames;

export interface SoundOnset {
  /** `level`: root mean square, 0 to 1. Returns how many frames ago a sound began, if it is noticed with this frame. */
  push(level: number, agentIsAudible: boolean): number | undefined;
}

export function createSoundOnset(): SoundOnset {
  const levels = new Float32Array(keptFrames);
  let frames = 0;
  let audibleFrames = 0;

  return {
    push(level, agentIsAudible) {
      levels[frames % keptFrames] = level;
      frames++;
      audibleFrames = agentIsAudible ? audibleFrames + 1 : 0;
      if (level < faintest || audibleFrames < framesOfAgent || frames < keptFrames) return undefined;
      const limit = Math.max(faintest, louderBy * loudestBefore(levels, frames));
      let loud = 0;
      for (let ago = 0; ago < newestFrames; ago++) if (levelOf(levels, frames, ago) >= limit) loud++;
      return level >= limit && loud >= framesOfSound ? framesOfSound : undefined;
    },
  };
}

/** Of the second before the newest frames. */
function loudestBefore(levels: Float32Array, frames: number): number {
  let loudest = 0;
  for (let ago = newestFrames; ago < keptFrames; ago++) loudest = Math.max(loudest, levelOf(levels, frames, ago));
  return loudest;
}

function levelOf(levels: Float32Array, frames: number, ago: number): number {
  return levels[(frames - 1 - ago) % keptFrames] ?? 0;
}
