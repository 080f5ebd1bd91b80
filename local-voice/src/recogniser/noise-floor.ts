/**
 * Speech with a soft noise behind it. The recogniser's model was trained with recordings of rooms; where there is no room
 * at all (synthesised speech, a handset or a browser that suppresses noise), the moments and bands without energy are
 * unlike anything that it knows, and outweigh what it does know. Pure.
 */
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";

/** Below the speech, on the average. At 20 and at 30 dB the tuning voices of `bench:hearing` were recognised a little worse. */
const SOFTER_DB = 25;
/** The mean square of noise that is evenly spread from -1 to 1. */
const NOISE_POWER = 1 / 3;

export function withNoiseFloor(speech: Int16Array): Int16Array {
  const power = speech.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, speech.length);
  const gain = Math.sqrt(power / NOISE_POWER / 10 ** (SOFTER_DB / 10));
  return speech.map((sample, at) => Math.max(-32_768, Math.min(32_767, Math.round(sample + gain * whiteNoise(at)))));
}
