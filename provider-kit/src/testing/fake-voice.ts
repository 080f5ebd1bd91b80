/**
 * Noise without its highs, in syllables, which resembles a voice when waves are compared. The same for the same seed.
 */
export function fakeVoice(seed: number, durationMs: number, rateHz = 16_000): Int16Array {
  const samples = new Int16Array((durationMs * rateHz) / 1000);
  let random = seed;
  let low = 0;
  for (let index = 0; index < samples.length; index++) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    low += 0.2 * ((random / 0x7fff_ffff) * 2 - 1 - low);
    const syllable = 0.55 + 0.45 * Math.sin((2 * Math.PI * index) / (rateHz * (0.21 + (seed % 7) / 100)));
    samples[index] = 20_000 * low * syllable;
  }
  return samples;
}
