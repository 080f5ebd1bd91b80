/**
 * Adds a soft noise to speech. The recogniser's model was trained with recordings of rooms. Without any room noise (synthesised speech, a
 * handset or a browser that suppresses noise), the moments and bands without energy are unlike anything in its training, and outweigh what
 * it does recognise. Pure.
 */
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";

/** Relative to the average of the speech. With 20 and with 30 dB the tuning voices of `bench:hearing` were recognised slightly worse. */
const softerDb = 25;
/** The mean square of noise that is uniformly distributed from -1 to 1. */
const noisePower = 1 / 3;

export function withNoiseFloor(speech: Int16Array): Int16Array {
  const power = speech.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, speech.length);
  const gain = Math.sqrt(power / noisePower / 10 ** (softerDb / 10));
  return speech.map((sample, at) => Math.max(-32_768, Math.min(32_767, Math.round(sample + gain * whiteNoise(at)))));
}
