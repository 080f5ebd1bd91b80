import { describe, expect, it } from "vitest";
import { mixToMono, monoToStereo, pickChannel } from "./channels.ts";

describe("channels", () => {
  const stereo = Int16Array.of(10, 20, -32_768, -32_768, 32_767, 32_767);

  it("mixes to the mean, without overflow", () => {
    expect([...mixToMono(stereo, 2)]).toEqual([15, -32_768, 32_767]);
  });

  it("picks one of them", () => {
    expect([...pickChannel(stereo, 2, 0)]).toEqual([10, -32_768, 32_767]);
    expect([...pickChannel(stereo, 2, 1)]).toEqual([20, -32_768, 32_767]);
  });

  it("leaves mono as it is", () => {
    expect(mixToMono(stereo, 1)).toBe(stereo);
    expect(pickChannel(stereo, 1, 0)).toBe(stereo);
  });

  it("comes back from stereo as it went in", () => {
    const mono = Int16Array.of(1, -2, 3);
    expect(mixToMono(monoToStereo(mono), 2)).toEqual(mono);
  });
});
