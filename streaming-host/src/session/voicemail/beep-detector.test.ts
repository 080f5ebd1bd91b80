import { describe, expect, it } from "vitest";
import { createBeepDetector } from "./beep-detector.ts";

const rateHz = 16_000;

/** Sound by its samples' positions. */
function sound(ms: number, sampleAt: (index: number) => number): Int16Array {
  return Int16Array.from({ length: (rateHz * ms) / 1000 }, (_none, index) => sampleAt(index));
}
const silence = (ms: number): Int16Array => sound(ms, () => 0);
const tone = (hz: number, ms: number, loudness = 6000): Int16Array =>
  sound(ms, (index) => loudness * Math.sin((2 * Math.PI * hz * index) / rateHz));
/** The same noise every time. */
const noise = (loudness: number) => (index: number) =>
  loudness * (((Math.imul(index + 1, 2_654_435_761) >>> 8) % 2001) / 1000 - 1);

function beepsIn(...parts: readonly Int16Array[]): number {
  const detector = createBeepDetector(rateHz);
  const all = Int16Array.from(parts.flatMap((part) => [...part]));
  let beeps = 0;
  for (let at = 0; at + 320 <= all.length; at += 320) if (detector.push(all.subarray(at, at + 320))) beeps += 1;
  return beeps;
}

describe("the beep of an answering machine", () => {
  it.each([440, 800, 1000, 1400, 2000])("is heard at %i Hz, once, when it has ended", (hz) => {
    expect(beepsIn(silence(500), tone(hz, 400))).toBe(0);
    expect(beepsIn(silence(500), tone(hz, 400), silence(200))).toBe(1);
  });

  it("is heard over a noisy line, whether loud or quiet", () => {
    for (const loudness of [400, 3000, 20_000]) {
      const hiss = noise(loudness / 6);
      const beep = sound(500, (index) => loudness * Math.sin((2 * Math.PI * 1000 * index) / rateHz) + hiss(index));
      expect(beepsIn(sound(300, hiss), beep, sound(300, hiss))).toBe(1);
    }
  });

  it("is no click, no dial tone, no noise and no chord", () => {
    const chord = sound(1000, (index) => 3000 * (Math.sin(index * 0.2) + Math.sin(index * 0.25)));
    for (const other of [tone(1000, 100), tone(350, 1000), tone(3000, 1000), sound(1000, noise(8000)), chord])
      expect(beepsIn(silence(200), other, silence(200))).toBe(0);
  });

  it("is no voice: overtones, and a pitch that moves", () => {
    const vowel = sound(1000, (index) => {
      const phase = (2 * Math.PI * 180 * index) / rateHz;
      return [1, 0.8, 0.9, 0.5, 0.3].reduce((sum, part, at) => sum + 2000 * part * Math.sin((at + 1) * phase), 0);
    });
    const whistle = sound(1000, (index) => 6000 * Math.sin((2 * Math.PI * (900 + index / 40) * index) / rateHz));
    expect(beepsIn(silence(200), vowel, silence(200))).toBe(0);
    expect(beepsIn(silence(200), whistle, silence(200))).toBe(0);
  });
});
