import { describe, expect, it } from "vitest";
import { Track } from "./track.ts";
import { blockSamples } from "./waiting-audio.ts";

/** Every sample says where it is. */
const counted = (from: number, length: number): Int16Array => Int16Array.from({ length }, (_none, at) => from + at);

function read(track: Track, position: number, length: number): number[] {
  const target = new Int16Array(length);
  return [...target.subarray(0, track.read(position, target))];
}

describe("a track", () => {
  it("gives back what was written, however it was cut", () => {
    const track = new Track("turn-1");
    const cuts = [1, 479, blockSamples - 480, blockSamples, 3 * blockSamples + 7, 100];
    let length = 0;
    for (const cut of cuts) {
      track.write(counted(length, cut));
      length += cut;
    }
    expect(track.length).toBe(length);
    expect(read(track, 0, length)).toEqual([...counted(0, length)]);
    expect(read(track, blockSamples - 3, 6)).toEqual([...counted(blockSamples - 3, 6)]);
    expect(read(track, length - 2, 480)).toEqual([...counted(length - 2, 2)]);
    expect(read(track, length, 480)).toEqual([]);
  });

  it("keeps what may be said again after it has forgotten what was heard", () => {
    const track = new Track("turn-1");
    track.write(counted(0, 3 * blockSamples));
    track.forgetBefore(blockSamples + 10);
    expect(read(track, blockSamples, 5)).toEqual([...counted(blockSamples, 5)]);
    track.write(counted(3 * blockSamples, 20));
    expect(read(track, 3 * blockSamples - 5, 40)).toEqual([...counted(3 * blockSamples - 5, 25)]);
  });

  it("copies, so that who made the audio may use its memory again", () => {
    const track = new Track("turn-1");
    const samples = counted(1, 10);
    track.write(samples);
    samples.fill(0);
    expect(read(track, 0, 10)).toEqual([...counted(1, 10)]);
  });

  it("shares no memory with another one that is still heard", () => {
    const first = new Track("turn-1");
    first.write(counted(0, 2 * blockSamples));
    first.forgetBefore(blockSamples);
    const second = new Track("turn-2");
    second.write(new Int16Array(blockSamples).fill(-1));
    first.write(counted(2 * blockSamples, blockSamples));
    expect(read(first, blockSamples, 2 * blockSamples)).toEqual([...counted(blockSamples, 2 * blockSamples)]);
    expect(read(second, 0, 3)).toEqual([-1, -1, -1]);
  });

  it("gives its memory back when nobody will hear more of it, and still knows its length and text", () => {
    const track = new Track("turn-1");
    track.beginText("One two.");
    track.write(counted(0, blockSamples));
    track.mark({ textEnd: 3, endSample: 100 });
    track.release();
    const next = new Track("turn-2");
    next.write(new Int16Array(blockSamples).fill(-1));
    track.write(counted(0, 50)); // its synthesiser was not done yet
    expect(track.length).toBe(blockSamples + 50);
    expect(read(track, 0, 10)).toEqual([]);
    expect(track.textHeard(100)).toBe("One");
    track.release();
    expect(read(next, 0, 2)).toEqual([-1, -1]);
  });
});
