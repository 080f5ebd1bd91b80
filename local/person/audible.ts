/** About -48 dBFS: above the noise floor of the synthetic voices, below their quietest consonants. */
const audibleAmplitude = 130;

/** The index of the last sample that can be heard, -1 where all is silence. */
export function lastAudibleSample(samples: Int16Array): number {
  return samples.findLastIndex((sample) => Math.abs(sample) >= audibleAmplitude);
}

/** The index of the first sample that can be heard, -1 where all is silence. */
export function firstAudibleSample(samples: Int16Array): number {
  return samples.findIndex((sample) => Math.abs(sample) >= audibleAmplitude);
}
