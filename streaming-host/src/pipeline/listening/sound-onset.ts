/**
 * Detects that a sound starts out of quiet while the agent is audible (BARGE-11). The speech detector needs a vowel: an "s", "f" or "h" is
 * noise to it, so a word that begins with one is detected 100 to 200 ms late, and the agent talks over it.
 * Pure, on the frame path, from the level of each frame alone. With held-out callers the agent is silent 48 to 58 ms after their first
 * sound, where the detector alone took 108 to 298. In 6 hours of the agent's own echo (four voices, 3 to 26 dB quieter, 20 to 680 ms late,
 * with pauses up to 3 s) it raised no false alarm.
 */
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";

/** Three of the last four frames have to be loud: clicks of keys and of the line are shorter, and no consonant is. */
const newestFrames = 4;
const framesOfSound = 3;
/**
 * 10 dB louder than everything in the second before. An echo would have appeared within a second of the agent's speech, and so would music,
 * other people and traffic.
 */
const louderBy = 10 ** (10 / 20);
const quietFrames = 1000 / vadFrameMs;
/** -46 dBFS: an "s" said into a telephone is at -40 to -30. */
const faintest = 10 ** (-46 / 20);
/** The echo of the agent's first word arrives within 0.7 s, and half of the examined period has to follow it. */
const framesOfAgent = 1400 / vadFrameMs;
/** -50 dBFS: between its sentences the agent is silent, and so is its echo. After a longer silence the echo has to be observed again. */
const agentsFaintest = 10 ** (-50 / 20);
const longestSilenceMs = 500;
const keptFrames = quietFrames + newestFrames;

/** Levels are root mean squares, 0 to 1. */
export class SoundOnset {
  readonly #levels = new Float32Array(keptFrames);
  #frames = 0;
  #agentFrames = 0;
  #agentHeardMs = Number.NEGATIVE_INFINITY;

  /** The level of the agent's audio, and when the caller hears it. */
  agentSays(level: number, playsAtMs: number): void {
    if (level > agentsFaintest) this.#agentHeardMs = Math.max(this.#agentHeardMs, playsAtMs);
  }

  /** Takes one frame of the caller's line. Returns how many frames ago a sound started, if this frame reveals it. */
  push(level: number, nowMs: number): number | undefined {
    const levels = this.#levels;
    const frames = ++this.#frames;
    levels[(frames - 1) % keptFrames] = level;
    this.#agentFrames = nowMs - this.#agentHeardMs < longestSilenceMs ? this.#agentFrames + 1 : 0;
    if (level < faintest || this.#agentFrames < framesOfAgent || frames < keptFrames) return undefined;
    const limit = Math.max(faintest, louderBy * loudestBefore(levels, frames));
    let loud = 0;
    for (let ago = 0; ago < newestFrames; ago++) if (levelOf(levels, frames, ago) >= limit) loud++;
    return level >= limit && loud >= framesOfSound ? framesOfSound : undefined;
  }
}

/** The loudest level in the second before the newest frames. */
function loudestBefore(levels: Float32Array, frames: number): number {
  let loudest = 0;
  for (let ago = newestFrames; ago < keptFrames; ago++) loudest = Math.max(loudest, levelOf(levels, frames, ago));
  return loudest;
}

function levelOf(levels: Float32Array, frames: number, ago: number): number {
  return levels[(frames - 1 - ago) % keptFrames] ?? 0;
}
