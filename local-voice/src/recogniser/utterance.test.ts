import { describe, expect, it } from "vitest";
import { Utterance } from "./utterance.ts";
import type { UtteredSpeech } from "./utterance.ts";

const frame = (): Int16Array => new Int16Array(320);

/** An utterance that begins at 200 ms with 200 ms of audio before it, and is heard for so long. */
function heard(forMs: number) {
  const given: { seconds: number; untilMs: number; isPaused: boolean }[] = [];
  const note = ({ samples, untilMs, isPaused }: UtteredSpeech): void => {
    given.push({ seconds: samples.length / 16_000, untilMs, isPaused });
  };
  const utterance = new Utterance(200, Array.from({ length: 10 }, frame), note);
  for (let ms = 0; ms < forMs; ms += 20) utterance.hear(frame());
  return { utterance, given };
}

describe("the caller's speech for a recogniser of whole utterances", () => {
  it("has no more than 0.2 s of the silence after it", () => {
    const { utterance, given } = heard(2000);
    utterance.pause(1200, 2200);
    expect(given).toEqual([{ seconds: 1.4, untilMs: 1200, isPaused: true }]);
  });

  it("is given once for each pause", () => {
    const { utterance, given } = heard(2000);
    utterance.pause(1200, 1340);
    utterance.pause(1200, 2200);
    utterance.pause(2100, 2200);
    expect(given.map(({ untilMs }) => untilMs)).toEqual([1200, 2100]);
  });

  it("is given every second while the caller speaks [EAR-31]", () => {
    const { utterance, given } = heard(20);
    for (let nowMs = 220; nowMs <= 3000; nowMs += 20) {
      utterance.hear(frame());
      utterance.goOn(nowMs);
    }
    expect(given.map(({ untilMs, isPaused }) => [untilMs, isPaused])).toEqual([
      [1200, false],
      [2200, false],
    ]);
  });
});
