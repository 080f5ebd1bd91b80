import { encodeWav } from "@voice/provider-kit/audio/wav";
import { describe, expect, it } from "vitest";

import { WaveformReader } from "./waveform.ts";

/** A second at 8 kHz: the caller (left) is loud in its first half, the agent in its second. */
const file = encodeWav({
  sampleRateHz: 8000,
  channels: 2,
  samples: Int16Array.from({ length: 16_000 }, (_, at) => {
    const isLeft = at % 2 === 0;
    return isLeft === at < 8000 ? -16_384 : 0;
  }),
});

describe("the waveform of a recording", () => {
  it("has the peaks of each channel", () => {
    const reader = new WaveformReader();
    reader.add(file);
    const { channels, durationMs } = reader.waveform;
    expect(durationMs).toBe(1000);
    expect(channels.map((peaks) => peaks.length)).toEqual([20, 20]);
    expect(channels.map((peaks) => [peaks[0], peaks[19]])).toEqual([
      [0.5, 0],
      [0, 0.5],
    ]);
  });

  it("does not depend on how the file is cut on its way", () => {
    const [whole, cut] = [new WaveformReader(), new WaveformReader()];
    whole.add(file);
    for (let at = 0; at < file.length; at += 777) cut.add(file.subarray(at, at + 777));
    expect(cut.waveform).toEqual(whole.waveform);
  });

  it.each([
    ["a WAV file", file, true],
    ["the page of a proxy", new TextEncoder().encode("<!doctype html>".padEnd(100)), false],
    ["less than a header", file.subarray(0, 20), false],
  ])("is known to be of a WAV file, or not: %s", (_what, bytes, isWav) => {
    const reader = new WaveformReader();
    reader.add(bytes);
    expect(reader.isWav).toBe(isWav);
  });

  it("is empty before there is anything", () => {
    expect(new WaveformReader().waveform).toMatchObject({ channels: [], durationMs: 0 });
  });
});
