/**
 * Detects the beep of an answering machine: one steady tone, which no voice holds for a quarter of a second. The frequency is estimated
 * over two frames from their zero crossings, and a Goertzel filter at that frequency gives its share of the energy.
 */

const frameMs = 20;
/** The level of two frames: -48 dB. Below it the frames count as silence. */
const leastRms = 130;
/** Machines beep between 425 and 2,000 Hz; the fundamental of a voice is lower. */
const lowestHz = 400;
const highestHz = 2500;
/** The tone's share of the energy. Line noise 13 dB below the tone leaves this much; the purest vowels reach 0.8. */
const leastShare = 0.9;
/** Relative to the first frame of the tone. Neither a voice nor a whistle holds its pitch that steadily. */
const mostDrift = 0.03;
/** The shortest beeps in use last 0.2 s, and the first frame fills only half of the window. */
const leastFrames = 9;

export interface BeepDetector {
  /** One 20 ms frame. True when a beep has just ended. */
  push(frame: Int16Array): boolean;
}

export function createBeepDetector(sampleRateHz: number): BeepDetector {
  const frameSamples = (sampleRateHz * frameMs) / 1000;
  const window = new Int16Array(2 * frameSamples);
  let toneHz: number | undefined;
  let frames = 0;

  return {
    push(frame) {
      window.copyWithin(0, frameSamples);
      window.set(frame.subarray(0, frameSamples), frameSamples);
      const heardHz = toneOf(window, sampleRateHz);
      if (heardHz !== undefined && (toneHz === undefined || Math.abs(heardHz / toneHz - 1) <= mostDrift)) {
        toneHz ??= heardHz;
        frames += 1;
        return false;
      }
      const wasBeep = frames >= leastFrames;
      toneHz = heardHz;
      frames = heardHz === undefined ? 0 : 1;
      return wasBeep;
    },
  };
}

/** The frequency of a sound that consists of one tone; undefined for any other sound. */
function toneOf(samples: Int16Array, sampleRateHz: number): number | undefined {
  let energy = 0;
  let crossings = 0;
  let first = 0;
  let last = 0;
  let before = samples[0] ?? 0;
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0;
    energy += sample * sample;
    if (before < 0 && sample >= 0) {
      last = index - sample / (sample - before); // interpolated between the two samples
      if (crossings === 0) first = last;
      crossings += 1;
    }
    before = sample;
  }
  if (crossings < 3 || energy < leastRms * leastRms * samples.length) return undefined;
  const hz = ((crossings - 1) * sampleRateHz) / (last - first);
  if (hz < lowestHz || hz > highestHz) return undefined;
  return shareAt(hz, samples, sampleRateHz) * 2 >= leastShare * energy * samples.length ? hz : undefined;
}

/** Goertzel: the share of the energy at one frequency. */
function shareAt(hz: number, samples: Int16Array, sampleRateHz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz);
  let one = 0;
  let two = 0;
  for (const sample of samples) {
    const next = sample + coefficient * one - two;
    two = one;
    one = next;
  }
  return one * one + two * two - coefficient * one * two;
}
