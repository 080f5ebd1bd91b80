import { expect, it } from "vitest";
import { VoiceEnd } from "./voice-end.ts";

/** The position of the end of voice after these levels, in frames of 20 ms. */
function endOf(...levels: readonly (readonly [level: number, frames: number])[]): number | undefined {
  const voice = new VoiceEnd();
  let atMs = 0;
  for (const [level, frames] of levels) for (let frame = 0; frame < frames; frame++) voice.hear(level, (atMs += 20));
  return voice.untilMs;
}

it("[RT-3] the end of the voice is where speech fell quiet, on a silent line and on one with noise", () => {
  expect(endOf([0, 10], [0.1, 20], [0, 100])).toBe(600);
  expect(endOf([0.006, 10], [0.1, 20], [0.006, 100])).toBe(600);
  expect(endOf([0.4, 5], [0.05, 100], [0.001, 50])).toBe(2100);
});

it("the end of the voice is not known before the first sound, and is forgotten with its connection", () => {
  expect(endOf([0.001, 50])).toBeUndefined();
  const voice = new VoiceEnd();
  voice.hear(0.1, 20);
  voice.reset();
  expect(voice.untilMs).toBeUndefined();
});
