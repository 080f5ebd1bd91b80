/**
 * The power of a background noise in each band. It is measured between the words. If a telephone or a browser suppresses it there, it is
 * measured as the level to which each band falls in its quietest moments during speech: the noise is steady, and no sound of speech
 * occupies all bands all the time. Pure.
 */
import { analyse, bands, blockSamples, joined, powerOf, stepSamples } from "./short-time-spectrum.ts";

/** Fewer blocks are not enough to estimate the noise. */
const fewestNoiseBlocks = 3;
/** 0.65 s: the least in which every band has quiet moments. In a single word some bands have none. */
const fewestSpokenBlocks = 40;
/** The share of moments that are quieter than the noise estimate: small enough for vowels, which fill the lowest bands most of the time. */
const quietShare = 0.1;
/** The power of noise in a band is distributed exponentially: `quietShare` of its moments are below this share of its mean. */
const quietLevel = -Math.log(1 - quietShare);
/** The power of a band if all bands were equal and their sum were at full scale. */
const powerOfFullScale = 32_768 ** 2 * stepSamples;
/** Up to 4 kHz. */
const telephoneBands = bands >> 1;

/** The mean power of each band in the marked frames, in which nobody speaks; undefined if there are too few. */
export function noiseBetween(frames: readonly Int16Array[], isNoise: readonly boolean[]): Float64Array | undefined {
  const heard = joined(frames);
  const sums = new Float64Array(bands);
  const blocks = blocksOf(frames, isNoise);
  for (const at of blocks) {
    analyse(heard, at);
    for (let band = 0; band < bands; band++) sums[band] = (sums[band] ?? 0) + powerOf(band);
  }
  return blocks.length < fewestNoiseBlocks ? undefined : sums.map((sum) => sum / blocks.length);
}

/** The power of each band in its quietest moments of the marked frames, which are audible; undefined if there are too few. */
export function noiseBeneath(frames: readonly Int16Array[], isAudible: readonly boolean[]): Float64Array | undefined {
  const heard = joined(frames);
  const blocks = blocksOf(frames, isAudible);
  if (blocks.length < fewestSpokenBlocks) return undefined;
  const powers = Array.from({ length: bands }, () => new Float64Array(blocks.length));
  for (const [index, at] of blocks.entries()) {
    analyse(heard, at);
    for (const [band, ofBand] of powers.entries()) ofBand[index] = powerOf(band);
  }
  const quiet = Math.floor(blocks.length * quietShare);
  return Float64Array.from(powers, (ofBand) => (ofBand.toSorted()[quiet] ?? 0) / quietLevel);
}

/**
 * In the scale of `rmsLevel`, assuming that all bands are like the median one of those that a telephone transmits: in the lowest bands,
 * where speech is never quiet, the estimate is too high.
 */
export function levelOf(noise: Float64Array): number {
  const median = noise.subarray(0, telephoneBands).toSorted()[telephoneBands >> 1] ?? 0;
  return 10 * Math.log10(median / powerOfFullScale);
}

/** The starts of the blocks that lie completely in marked frames. */
function blocksOf(frames: readonly Int16Array[], isMarked: readonly boolean[]): readonly number[] {
  const frameSamples = frames[0]?.length ?? 0;
  const blocks: number[] = [];
  for (let at = 0; at + blockSamples <= frames.length * frameSamples; at += stepSamples) {
    const [from, to] = [Math.floor(at / frameSamples), Math.floor((at + blockSamples - 1) / frameSamples)];
    if (!isMarked.slice(from, to + 1).includes(false)) blocks.push(at);
  }
  return blocks;
}
