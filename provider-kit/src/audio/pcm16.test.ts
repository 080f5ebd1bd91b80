import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64FromSamples, bytesFromSamples, samplesFromBase64, samplesFromBytes } from "./pcm16.ts";

const sampleArrays = fc.int16Array({ maxLength: 400 });

describe("pcm16", () => {
  it("reads little-endian samples", () => {
    expect([...samplesFromBytes(Uint8Array.of(0x01, 0x00, 0xff, 0xff, 0x00, 0x80))]).toEqual([1, -1, -32_768]);
  });

  it("reads from any byte offset", () => {
    const bytes = Uint8Array.of(9, 0x34, 0x12, 9).subarray(1, 3);
    expect([...samplesFromBytes(bytes)]).toEqual([0x1234]);
  });

  it("leaves half a sample out", () => {
    expect([...samplesFromBytes(Uint8Array.of(1, 0, 2))]).toEqual([1]);
  });

  it("never hands out the memory it read from", () => {
    const pooled = Buffer.from([1, 0, 2, 0]);
    const samples = samplesFromBytes(pooled);
    pooled.fill(0xee);
    expect([...samples]).toEqual([1, 2]);
    expect(samples.buffer.byteLength).toBe(samples.byteLength);
  });

  it("never hands out pooled memory from base64", () => {
    const samples = samplesFromBase64("AQACAA==");
    expect([...samples]).toEqual([1, 2]);
    expect(samples.buffer.byteLength).toBe(samples.byteLength);
  });

  it("survives text that is not base64", () => {
    expect(samplesFromBase64("")).toHaveLength(0);
    expect([...samplesFromBase64("A Q?A\nC*AA==")]).toEqual([1, 2]);
  });

  it("round-trips through bytes and through base64", () => {
    fc.assert(
      fc.property(sampleArrays, (samples) => {
        expect(samplesFromBytes(bytesFromSamples(samples))).toEqual(samples);
        expect(samplesFromBase64(base64FromSamples(samples))).toEqual(samples);
        expect(base64FromSamples(samples)).toBe(Buffer.from(bytesFromSamples(samples)).toString("base64"));
      }),
    );
  });

  it("writes exactly the view it was given", () => {
    const samples = Int16Array.of(1, 2, 3, 4).subarray(1, 3);
    expect([...bytesFromSamples(samples)]).toEqual([2, 0, 3, 0]);
  });
});
