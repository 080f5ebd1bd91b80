/**
 * What the noise behind speech sounds like: the power of each band. It is heard between the words; where a telephone or a browser
 * cuts it off there, it is what remains in a band in its quietest moments while somebody speaks (the noise is steady, and no sound of
 * speech is in all bands all the time). Pure.
 */
import { analyse, bands, blockSamples, joined, powerOf, stepSamples } from "./short-time-spectrum.ts";

/** Fewer say too little of what the noise sounds like. */
const fewestNoiseBlocks = 3;
/** 0.65 s: the least in which every band has quiet moments. A single word has none in some. */
const fewestSpokenBlocks = 40;
/** The share of moments that are quieter than what is taken for noise: few enough for vowels, which fill the lowest bands most of the time. */
const quietShare = 0.1;
/** The power of noise varies exponentially in a band, so that this share of its moments is below so much of its mean. */
const quietLevel = -Math.log(1 - quietShare);
/** The power of a band if all were like it, and their sum as loud as can be. */
const powerOfFullScale = 32_768 ** 2 * stepSamples;
/** Up to 4 kHz. */
const telephoneBands = bands >> 1;

/** The mean power of each band in the marked frames, in which nobody speaks; undefined where they are too few. */
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

/** The power of each band in its quietest moments of the marked frames, which are audible; undefined where they are too few. */
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
 * As `rmsLevel` of a frame would find it, if all bands were like the middle one of those that a telephone has: in the lowest ones, where
 * speech is never quiet, the estimate is too high.
 */
export function levelOf(noise: Float64Array): number {
  const median = noise.subarray(0, telephoneBands).toSorted()[telephoneBands >> 1] ?? 0;
  return 10 * Math.log10(median / powerOfFullScale);
}

/** Where those blocks begin that lie in marked frames alone. */
function blocksOf(frames: readonly Int16Array[], isMarked: readonly boolean[]): readonly number[] {
  const frameSamples = frames[0]?.length ?? 0;
  const blocks: number[] = [];
  for (let at = 0; at + blockSamples <= frames.length * frameSamples; at += stepSamples) {
    const [from, to] = [Math.floor(at / frameSamples), Math.floor((at + blockSamples - 1) / frameSamples)];
    if (!isMarked.slice(from, to + 1).includes(false)) blocks.push(at);
  }
  return blocks;
}
