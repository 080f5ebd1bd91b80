import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64FromSamples, samplesFromBase64 } from "./pcm16.ts";
import { SampleSlab } from "./sample-slab.ts";

describe("the memory for a line's frames", () => {
  it("holds what was decoded, however many frames of whatever length follow", () => {
    fc.assert(
      fc.property(fc.array(fc.int16Array({ maxLength: 1200 }), { maxLength: 60 }), (frames) => {
        const slab = new SampleSlab();
        const decoded = frames.map((frame) => slab.fromBase64(base64FromSamples(frame)));
        expect(decoded).toEqual(frames);
      }),
    );
  });

  it("reads any text as the decoder without such memory does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("A", "Q", "z", "9", "+", "/", "=", " ", "*") })),
        (texts) => {
          const slab = new SampleSlab();
          for (const text of texts) expect(slab.fromBase64(text)).toEqual(samplesFromBase64(text));
        },
      ),
    );
  });

  it("is not shared by two lines", () => {
    const frame = base64FromSamples(new Int16Array(320).fill(7));
    const [one, other] = [new SampleSlab(), new SampleSlab()];
    expect(one.fromBase64(frame).buffer).not.toBe(other.fromBase64(frame).buffer);
    expect(one.fromBase64(frame).buffer).toBe(one.fromBase64(frame).buffer);
  });
});
