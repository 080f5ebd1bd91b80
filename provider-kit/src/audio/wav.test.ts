import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeWav, encodeWav } from "./wav.ts";

const tone = { sampleRateHz: 16_000, channels: 1, samples: Int16Array.of(1, -2, 32_767, -32_768) };

describe("wav", () => {
  it("round-trips", () => {
    fc.assert(
      fc.property(
        fc.int16Array(),
        fc.constantFrom(1, 2),
        fc.constantFrom(8_000, 16_000, 24_000),
        (samples, channels, sampleRateHz) => {
          expect(decodeWav(encodeWav({ sampleRateHz, channels, samples }))).toEqual({
            sampleRateHz,
            channels,
            samples,
          });
        },
      ),
    );
  });

  it("writes the canonical 44-byte header", () => {
    const header = encodeWav(tone).subarray(0, 44).toString("hex");
    expect(header).toBe("524946462c00000057415645666d74201000000001000100803e0000007d0000020010006461746108000000");
  });

  it("skips chunks it does not know, padded ones included", () => {
    const file = encodeWav(tone);
    const unknown = Buffer.from("LIST\x03\0\0\0abc\0", "latin1");
    const withList = Buffer.concat([file.subarray(0, 36), unknown, file.subarray(36)]);
    expect(decodeWav(withList)).toEqual(tone);
  });

  it("takes what is there when a streaming writer left the length open", () => {
    const file = encodeWav(tone);
    file.writeUInt32LE(0xffff_ffff, 40);
    expect(decodeWav(file)).toEqual(tone);
  });

  it("reads from a slice of a larger buffer", () => {
    const padded = Buffer.concat([Buffer.from([1, 2, 3]), encodeWav(tone)]);
    expect(decodeWav(padded.subarray(3))).toEqual(tone);
  });

  it.each([
    ["something else", Buffer.from("not a sound at all, honestly")],
    ["no data", encodeWav(tone).subarray(0, 36)],
    ["data before its format", Buffer.concat([encodeWav(tone).subarray(0, 12), encodeWav(tone).subarray(36)])],
    ["8-bit samples", Buffer.from(encodeWav(tone)).fill(8, 34, 35)],
    ["no channels", Buffer.from(encodeWav(tone)).fill(0, 22, 23)],
  ])("refuses %s", (_, file) => {
    expect(() => decodeWav(file)).toThrow(RangeError);
  });
});
