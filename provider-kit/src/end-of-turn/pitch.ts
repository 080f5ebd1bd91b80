/** The fundamental frequency of a voice, by normalised autocorrelation. */

const lowestHz = 65;
const highestHz = 380;
/** A lower correlation is not a voice. */
const leastCorrelation = 0.55;
/** 8 kHz is sufficient to measure pitch. */
const step = 2;

export function pitchHz(samples: Int16Array, sampleRateHz: number): number | undefined {
  const rateHz = sampleRateHz / step;
  const shortest = Math.floor(rateHz / highestHz);
  const longest = Math.ceil(rateHz / lowestHz);
  const length = Math.floor(samples.length / step) - longest;
  let best = 0;
  let bestLag = 0;
  for (let lag = shortest; lag <= longest; lag++) {
    let product = 0;
    let here = 0;
    let there = 0;
    for (let index = 0; index < length; index++) {
      const a = samples[index * step] ?? 0;
      const b = samples[(index + lag) * step] ?? 0;
      product += a * b;
      here += a * a;
      there += b * b;
    }
    const correlation = product / Math.sqrt(here * there + 1);
    // Every multiple of the period correlates as well, so a longer one must be clearly better.
    if (correlation > best + 0.03) [best, bestLag] = [correlation, lag];
  }
  return best < leastCorrelation ? undefined : rateHz / bestLag;
}
