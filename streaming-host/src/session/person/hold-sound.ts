/** What a caller hears whom a person has put on hold: two soft notes, and a pause. Made here, so that it sounds the same on every channel. */

export const holdSoundMs = 4000;

/** A fifth; 30 dB below full scale, so that a sudden end or beginning startles nobody. */
const notes = [
  { hz: 440, fromMs: 0 },
  { hz: 660, fromMs: 450 },
] as const;
const noteMs = 900;
const amplitude = 1000;

export function holdSound(sampleRateHz: number): Int16Array {
  const samples = new Int16Array((sampleRateHz * holdSoundMs) / 1000);
  const length = (sampleRateHz * noteMs) / 1000;
  for (const { hz, fromMs } of notes) {
    const start = (sampleRateHz * fromMs) / 1000;
    for (let at = 0; at < length; at++) {
      const fade = Math.sin((Math.PI * at) / length);
      samples[start + at] =
        (samples[start + at] ?? 0) + amplitude * fade * Math.sin((2 * Math.PI * hz * at) / sampleRateHz);
    }
  }
  return samples;
}
