/**
 * Attenuates everything that is no louder than the line's own background, between and around words. The decoder can explain that noise only
 * with words: it would find words in it, or reject the whole sentence. A quiet line passes unchanged. Pure.
 */
import { AudioHoles } from "@voice/provider-kit/audio/audio-hole";
import { rmsLevel } from "@voice/provider-kit/audio/levels";

export interface NoiseGate {
  /** Returns the 20 ms frame itself if it needs no change, otherwise a quieter copy. */
  apply(frame: Int16Array): Int16Array;
}

/** Above the quietest frame: the level of people talking in the background varies by this much. */
const MARGIN_DB = 12;
/** Below the loudest frame: consonants can be this much softer than vowels, and must pass whatever the background. */
const SPEECH_RANGE_DB = 20;
/** Keeps the gate open for the fading ends of words. */
const HOLD_FRAMES = 3;
const CLOSED_GAIN = 10 ** (-25 / 20);
/** The share of the way to the new gain per sample: 5 ms in all, so that the gate makes no clicks. */
const GAIN_STEP = 0.0125;
/** The noise floor is the quietest frame of the last 1.6 to 3.2 s, as in voice activity detection. */
const WINDOW_FRAMES = 80;
const QUIETEST_DB = -100;
/** A background this soft does no harm and is left alone. */
const QUIET_LINE_DB = -60;
/** The assumed level of speech before anybody has spoken, and its lower bound after a long silence. */
const USUAL_SPEECH_DB = -15;
const SOFT_SPEECH_DB = -25;
/** The loudest level decays slowly: 10 dB in 20 s. */
const SPEECH_DECAY_DB = 0.01;

export function createNoiseGate(): NoiseGate {
  let floorBefore = QUIETEST_DB;
  let floorNow = Number.POSITIVE_INFINITY;
  let speechDb = USUAL_SPEECH_DB;
  let frames = 0;
  let openFrames = 0;
  let gain = 1;
  const holes = new AudioHoles();

  const isLoud = (frame: Int16Array): boolean => {
    const levelDb = Math.max(QUIETEST_DB, 20 * Math.log10(rmsLevel(frame)));
    if (!holes.next(frame)) floorNow = Math.min(floorNow, levelDb);
    speechDb = Math.max(SOFT_SPEECH_DB, speechDb - SPEECH_DECAY_DB, levelDb);
    const floorDb = frames < WINDOW_FRAMES && floorBefore === QUIETEST_DB ? floorNow : Math.min(floorBefore, floorNow);
    frames += 1;
    if (frames === WINDOW_FRAMES) {
      floorBefore = floorNow;
      floorNow = Number.POSITIVE_INFINITY;
      frames = 0;
    }
    return floorDb < QUIET_LINE_DB || levelDb > Math.min(floorDb + MARGIN_DB, speechDb - SPEECH_RANGE_DB);
  };

  return {
    apply(frame) {
      openFrames = isLoud(frame) ? HOLD_FRAMES : Math.max(0, openFrames - 1);
      const target = openFrames > 0 ? 1 : CLOSED_GAIN;
      if (gain > 0.999 && target === 1) return frame;
      return frame.map((sample) => {
        gain += (target - gain) * GAIN_STEP;
        return Math.round(sample * gain);
      });
    },
  };
}
