import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFramer } from "./framing.ts";

const chunks = fc.array(fc.int16Array({ maxLength: 50 }), { maxLength: 20 });

describe("framing", () => {
  it("cuts any chunks into frames of the exact length, in order, losing nothing", () => {
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 40 }), (chunks, frameSamples) => {
        const framer = createFramer(frameSamples);
        const frames: Int16Array[] = [];
        for (const chunk of chunks) framer.push(chunk, (frame) => frames.push(frame));
        const input = chunks.flatMap((chunk) => Array.from(chunk));
        expect(frames.every((frame) => frame.length === frameSamples)).toBe(true);
        expect(frames.length).toBe(Math.floor(input.length / frameSamples));
        const last = framer.flush();
        const output = [...frames, ...(last === undefined ? [] : [last])].flatMap((frame) => Array.from(frame));
        expect(output.slice(0, input.length)).toEqual(input);
        expect(output.slice(input.length).every((sample) => sample === 0)).toBe(true);
      }),
    );
  });

  it("gives each frame memory of its own", () => {
    const framer = createFramer(2);
    const frames: Int16Array[] = [];
    const chunk = Int16Array.of(1, 2, 3, 4);
    framer.push(chunk, (frame) => frames.push(frame));
    chunk.fill(9);
    expect(frames.map((frame) => Array.from(frame))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("has nothing to flush when every frame was full", () => {
    const framer = createFramer(2);
    framer.push(Int16Array.of(1, 2), () => undefined);
    expect(framer.flush()).toBeUndefined();
  });

  it("forgets an interrupted frame", () => {
    const framer = createFramer(3);
    framer.push(Int16Array.of(7, 7), () => undefined);
    framer.reset();
    framer.push(Int16Array.of(1), () => undefined);
    expect([...(framer.flush() ?? [])]).toEqual([1, 0, 0]);
  });

  it("refuses a frame length that cannot be filled", () => {
    expect(() => createFramer(0)).toThrow(RangeError);
  });
});
