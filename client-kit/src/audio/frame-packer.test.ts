import { describe, expect, it } from "vitest";

import { FramePacker, fromPcm16, loudness } from "./frame-packer.ts";

function pack(packer: FramePacker, samples: Float32Array): Int16Array[] {
  const frames: Int16Array[] = [];
  packer.push(samples, (frame) => frames.push(frame));
  return frames;
}

describe("the frame packer", () => {
  it("cuts a stream into frames of 20 ms and keeps the rest for the next", () => {
    const packer = new FramePacker(16_000);
    expect(pack(packer, new Float32Array(319)).length).toBe(0);
    expect(pack(packer, new Float32Array(322)).map((frame) => frame.length)).toEqual([320, 320]);
    expect(pack(packer, new Float32Array(319)).length).toBe(1);
  });

  it("hands out a frame that it does not touch again", () => {
    const packer = new FramePacker(8000);
    const [first] = pack(packer, new Float32Array(160).fill(0.5));
    pack(packer, new Float32Array(160).fill(-0.5));
    expect(first?.every((sample) => sample === 16_384)).toBe(true);
  });

  it("clips what is too loud instead of wrapping it around", () => {
    const [frame] = pack(new FramePacker(8000), new Float32Array(160).fill(1.5));
    expect(frame?.[0]).toBe(32_767);
    const [negative] = pack(new FramePacker(8000), new Float32Array(160).fill(-1.5));
    expect(negative?.[0]).toBe(-32_767);
  });
});

describe("samples", () => {
  it("come back from PCM16 as fractions of full scale", () => {
    expect([...fromPcm16(Int16Array.of(-32_768, 0, 16_384))]).toEqual([-1, 0, 0.5]);
  });

  it("are as loud as their root mean square", () => {
    expect(loudness(Float32Array.of(0.5, -0.5, 0.5, -0.5))).toBeCloseTo(0.5);
    expect(loudness(new Float32Array(0))).toBe(0);
  });
});
