import { describe, expect, it } from "vitest";
import { RecentAudio } from "./recent-audio.ts";

function read(recent: RecentAudio, count: number, samplesAgo?: number): number[] {
  const target = new Int16Array(count).fill(99);
  recent.read(target, samplesAgo);
  return [...target];
}

describe("recent audio", () => {
  it("has the newest samples, and those before, however they came", () => {
    const recent = new RecentAudio(8);
    for (const samples of [[1, 2, 3], [4, 5, 6], [7], [8, 9, 10]]) recent.push(Int16Array.from(samples));
    expect(recent.end).toBe(10);
    expect(read(recent, 3)).toEqual([8, 9, 10]);
    expect(read(recent, 8)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(read(recent, 4, 2)).toEqual([5, 6, 7, 8]);
  });

  it("has silence before the first sample", () => {
    const recent = new RecentAudio(8);
    expect(read(recent, 3)).toEqual([0, 0, 0]);
    recent.push(Int16Array.of(1, 2));
    expect(read(recent, 4)).toEqual([0, 0, 1, 2]);
  });
});
