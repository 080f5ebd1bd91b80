import { describe, expect, it } from "vitest";
import { AudioHoles, holesAmong } from "./audio-hole.ts";

const sound = (): Int16Array => new Int16Array(320).fill(300);
const silence = (): Int16Array => new Int16Array(320);
const frames = (...stretches: readonly (readonly [count: number, make: () => Int16Array])[]): Int16Array[] =>
  stretches.flatMap(([count, make]) => Array.from({ length: count }, make));
const times = (count: number, value: boolean): boolean[] => Array.from({ length: count }, () => value);

function arriving(heard: readonly Int16Array[]): boolean[] {
  const holes = new AudioHoles();
  return heard.map((frame) => holes.next(frame));
}

describe("holes in audio", () => {
  it("are digital silence for up to 200 ms", () => {
    const heard = frames([5, sound], [3, silence], [5, sound]);
    expect(arriving(heard)).toEqual([...times(5, false), ...times(3, true), ...times(5, false)]);
    expect(holesAmong(heard)).toEqual(arriving(heard));
  });

  it("are no longer than that: a line may be silent by itself", () => {
    const heard = frames([5, sound], [30, silence], [5, sound]);
    expect(arriving(heard).slice(15)).not.toContain(true);
    expect(holesAmong(heard)).not.toContain(true);
  });

  it("lie between sounds, where all that follows is known", () => {
    expect(holesAmong(frames([5, silence], [5, sound], [5, silence]))).not.toContain(true);
  });

  it("may begin in the middle of a frame", () => {
    const cut = sound().fill(0, 100);
    expect(arriving([sound(), cut, sound().fill(0, 0, 100), sound()])).toEqual([false, true, false, false]);
  });
});
