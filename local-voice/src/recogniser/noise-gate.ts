/**
 * Makes what is no louder than the line's own background much quieter, between words and around them: a decoder that has
 * only words to explain it with would hear words in it, or find that the whole sentence fits nothing. A quiet line passes
 * unchanged. Pure.
 */
import { rmsLevel } from "@voice/provider-kit/audio/levels";

export interface NoiseGate {
  /** One 20 ms frame: itself where nothing is to be done, or a quieter copy. */
  apply(frame: Int16Array): Int16Array;
}

/** Above the quietest frame: people talking in the background vary by as much. */
const MARGIN_DB = 12;
/** Below the loudest: consonants are up to so much softer than vowels, and stay whatever the background is. */
const SPEECH_RANGE_DB = 20;
/** The ends of words die away. */
const HOLD_FRAMES = 3;
const CLOSED_GAIN = 10 ** (-25 / 20);
/** Of the way to the new gain, each sample: 5 ms, so that the gate itself makes no click. */
const GAIN_STEP = 0.0125;
/** The floor is the quietest frame of the last 1.6 s to 3.2 s, as it is for voice activity. */
const WINDOW_FRAMES = 80;
const QUIETEST_DB = -100;
/** A background as soft as this is no trouble, and is left alone. */
const QUIET_LINE_DB = -60;
/** How loud speech is until somebody has spoken, and at least, where nobody has for long. */
const USUAL_SPEECH_DB = -15;
const SOFT_SPEECH_DB = -25;
/** The loudest level is forgotten slowly: 10 dB in 20 s. */
const SPEECH_DECAY_DB = 0.01;

export function createNoiseGate(): NoiseGate {
  let floorBefore = QUIETEST_DB;
  let floorNow = Number.POSITIVE_INFINITY;
  let speechDb = USUAL_SPEECH_DB;
  let frames = 0;
  let openFrames = 0;
  let gain = 1;

  const isLoud = (frame: Int16Array): boolean => {
    const levelDb = Math.max(QUIETEST_DB, 20 * Math.log10(rmsLevel(frame)));
    floorNow = Math.min(floorNow, levelDb);
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
