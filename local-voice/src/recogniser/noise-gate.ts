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
const marginDb = 12;
/** Below the loudest frame: consonants can be this much softer than vowels, and must pass whatever the background. */
const speechRangeDb = 20;
/** Keeps the gate open for the fading ends of words. */
const holdFrames = 3;
const closedGain = 10 ** (-25 / 20);
/** The share of the way to the new gain per sample: 5 ms in all, so that the gate makes no clicks. */
const gainStep = 0.0125;
/** The noise floor is the quietest frame of the last 1.6 to 3.2 s, as in voice activity detection. */
const windowFrames = 80;
const quietestDb = -100;
/** A background this soft does no harm and is left alone. */
const quietLineDb = -60;
/** The assumed level of speech before anybody has spoken, and its lower bound after a long silence. */
const usualSpeechDb = -15;
const softSpeechDb = -25;
/** The loudest level decays slowly: 10 dB in 20 s. */
const speechDecayDb = 0.01;

export function createNoiseGate(): NoiseGate {
  let floorBefore = quietestDb;
  let floorNow = Number.POSITIVE_INFINITY;
  let speechDb = usualSpeechDb;
  let frames = 0;
  let openFrames = 0;
  let gain = 1;
  const holes = new AudioHoles();

  const isLoud = (frame: Int16Array): boolean => {
    const levelDb = Math.max(quietestDb, 20 * Math.log10(rmsLevel(frame)));
    if (!holes.next(frame)) floorNow = Math.min(floorNow, levelDb);
    speechDb = Math.max(softSpeechDb, speechDb - speechDecayDb, levelDb);
    const floorDb = frames < windowFrames && floorBefore === quietestDb ? floorNow : Math.min(floorBefore, floorNow);
    frames += 1;
    if (frames === windowFrames) {
      floorBefore = floorNow;
      floorNow = Number.POSITIVE_INFINITY;
      frames = 0;
    }
    return floorDb < quietLineDb || levelDb > Math.min(floorDb + marginDb, speechDb - speechRangeDb);
  };

  return {
    apply(frame) {
      openFrames = isLoud(frame) ? holdFrames : Math.max(0, openFrames - 1);
      const target = openFrames > 0 ? 1 : closedGain;
      if (gain > 0.999 && target === 1) return frame;
      return frame.map((sample) => {
        gain += (target - gain) * gainStep;
        return Math.round(sample * gain);
      });
    },
  };
}
