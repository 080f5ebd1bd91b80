/** What the communication service sends of a caller: 20 ms at 16 kHz. */

/** Quiet noise: something for the detector to look at, nobody to listen to. */
const noise = Int16Array.from({ length: 320 }, (_, at) => ((at * 7919) % 61) - 30);

export function callerFrame(samples: Int16Array = noise, kind = "AudioData"): string {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString("base64");
  return JSON.stringify({
    kind,
    audioData: { timestamp: "2026-01-01T00:00:00.000Z", participantRawID: "4:+15550100", data, silent: false },
  });
}

/** The same with something for a `MarkedRecogniser` to understand. */
export function spokenFrame(mark: number, sign: number): string {
  const samples = noise.slice();
  samples.set([mark, sign]);
  return callerFrame(samples);
}
