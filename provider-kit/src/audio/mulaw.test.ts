import { describe, expect, it } from "vitest";
import { decodeMulaw, encodeMulaw, mulawSilence } from "./mulaw.ts";

const allCodes = Uint8Array.from({ length: 256 }, (_, code) => code);

describe("mu-law", () => {
  // ITU-T G.711 table 2a, decoder output values, scaled from 14 to 16 bits.
  it.each([
    [0x80, 32_124],
    [0x8f, 16_764],
    [0x9f, 8_316],
    [0xaf, 4_092],
    [0xbf, 1_980],
    [0xcf, 924],
    [0xdf, 396],
    [0xef, 132],
    [0xfe, 8],
    [0xff, 0],
    [0x00, -32_124],
    [0x0f, -16_764],
    [0x6f, -132],
    [0x7e, -8],
    [0x7f, 0],
  ])("decodes code %i as the standard does", (code, sample) => {
    expect(decodeMulaw(Uint8Array.of(code))[0]).toBe(sample);
  });

  it("gives every code back, but for negative zero, which is silence", () => {
    const codes = encodeMulaw(decodeMulaw(allCodes));
    expect([...codes]).toEqual([...allCodes].map((code) => (code === 0x7f ? mulawSilence : code)));
  });

  // Table 2a, decision values between the segments, scaled to 16 bits: the value itself belongs to the louder side.
  it.each([
    [16_252, 0x8f, 0x90],
    [8_060, 0x9f, 0xa0],
    [3_964, 0xaf, 0xb0],
    [1_916, 0xbf, 0xc0],
    [892, 0xcf, 0xd0],
    [380, 0xdf, 0xe0],
    [124, 0xef, 0xf0],
    [4, 0xfe, 0xff],
  ])("decides at %i as the standard does", (decision, louder, quieter) => {
    expect([...encodeMulaw(Int16Array.of(decision, decision - 1))]).toEqual([louder, quieter]);
    expect([...encodeMulaw(Int16Array.of(-decision, 1 - decision))]).toEqual([louder & 0x7f, quieter & 0x7f]);
  });

  it("is never further off than half the largest step of the sample's segment", () => {
    const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
    const heard = decodeMulaw(encodeMulaw(samples));
    const wrong = samples.filter((sample, index) => {
      const clipped = Math.max(-32_635, Math.min(32_635, sample));
      return Math.abs((heard[index] ?? 0) - clipped) > (Math.abs(clipped) + 132) / 32;
    });
    expect([...wrong]).toEqual([]);
  });

  it("encodes silence as the line's idle code", () => {
    expect([...encodeMulaw(new Int16Array(2))]).toEqual([mulawSilence, mulawSilence]);
  });

  it("keeps a loud and a quiet sine above 35 dB", () => {
    for (const amplitude of [20_000, 1_000]) {
      const sine = Int16Array.from({ length: 8_000 }, (_, index) => amplitude * Math.sin(index * 0.37));
      const heard = decodeMulaw(encodeMulaw(sine));
      let signal = 0;
      let noise = 0;
      for (const [index, sample] of sine.entries()) {
        signal += sample ** 2;
        noise += (sample - (heard[index] ?? 0)) ** 2;
      }
      expect(10 * Math.log10(signal / noise)).toBeGreaterThan(35);
    }
  });
});
