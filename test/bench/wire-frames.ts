/** What the communication service sends of a caller: frames of 20 ms. */

const framesPerSecond = 50;

/** Quiet noise: something for the detector to look at, nobody to listen to. */
export function noise(sampleRateHz: number): Int16Array {
  return Int16Array.from({ length: sampleRateHz / framesPerSecond }, (_, at) => ((at * 7919) % 61) - 30);
}

export function callerFrame(samples: Int16Array | undefined, sampleRateHz: number, kind = "AudioData"): string {
  const { buffer, byteOffset, byteLength } = samples ?? noise(sampleRateHz);
  const data = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
  return JSON.stringify({
    kind,
    audioData: { timestamp: "2026-01-01T00:00:00.000Z", participantRawID: "4:+15550100", data, silent: false },
  });
}

/** Something for a `MarkedRecogniser` to understand. */
export function spokenSamples(mark: number, sign: number, sampleRateHz: number): Int16Array {
  const samples = noise(sampleRateHz);
  samples.set([mark, sign]);
  return samples;
}

export function spokenFrame(mark: number, sign: number, sampleRateHz: number): string {
  return callerFrame(spokenSamples(mark, sign, sampleRateHz), sampleRateHz);
}

/**
 * What a mark sounds like where the samples themselves do not get through, as in mu-law or at another rate: so loud is the whole
 * frame.
 */
export const markLevels = { question: 16_000, interruption: -16_000, nothing: 8000, hearing: -8000 } as const;

/** Which of them has a frame with this sample in its middle. */
export function markAtLevel(sample: number): keyof typeof markLevels | undefined {
  if (Math.abs(sample) < markLevels.nothing / 2) return undefined;
  const isLoud = Math.abs(sample) > (markLevels.nothing + markLevels.question) / 2;
  if (sample < 0) return isLoud ? "interruption" : "hearing";
  return isLoud ? "question" : "nothing";
}
