/** Background noise for speech that has to be understood in spite of it. Deterministic. */

/** `snrDb`: how much louder the speech is than the noise, both on the average. `line` may be longer than the speech in it. */
export function withNoise(
  line: Int16Array,
  noise: (at: number) => number,
  { speech, snrDb }: { readonly speech: Int16Array; readonly snrDb: number },
): Int16Array {
  const noisePower = meanSquare(Float64Array.from({ length: line.length }, (_, at) => noise(at)));
  const gain = Math.sqrt(meanSquare(speech) / noisePower / 10 ** (snrDb / 10));
  return line.map((sample, at) => toSample(sample + gain * noise(at)));
}

export function toSample(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}

function meanSquare(samples: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at++) sum += (samples[at] ?? 0) ** 2;
  return Math.max(sum / Math.max(1, samples.length), 1e-9);
}
