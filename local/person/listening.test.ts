import { describe, expect, it } from "vitest";
import { Listening } from "./listening.ts";

const rateHz = 16_000;
const audible = (ms: number): Int16Array => new Int16Array((rateHz * ms) / 1000).fill(5000);
const silent = (ms: number): Int16Array => new Int16Array((rateHz * ms) / 1000);
/** A player starts this long after the first frame. */
const playerDelayMs = 60;

describe("Listening", () => {
  it("takes an answer for finished when it was played, not when it arrived", () => {
    const listening = new Listening(rateHz, 0);
    listening.onAudio(audible(2000), 100);
    expect(listening.hasFinished(1500, 500)).toBe(false);
    expect(listening.hasFinished(100 + playerDelayMs + 2000 + 499, 500)).toBe(false);
    expect(listening.hasFinished(100 + playerDelayMs + 2000 + 501, 500)).toBe(true);
  });

  it("does not take silence for an answer", () => {
    const listening = new Listening(rateHz, 0);
    listening.onAudio(silent(2000), 100);
    expect(listening.answeredInMs).toBeUndefined();
    expect(listening.hasGivenUp(10_000, 10_000)).toBe(true);
  });

  it("measures from the person's last word to the first of the answer", () => {
    const listening = new Listening(rateHz, 0);
    listening.startTurn(5000);
    listening.onAudio(audible(200), 5700);
    expect(listening.answeredInMs).toBe(700);
  });

  it("forgets what was stopped before it was played", () => {
    const listening = new Listening(rateHz, 0);
    listening.onAudio(audible(5000), 0);
    listening.onStopAudio(1000);
    expect(listening.hasFinished(1600, 500)).toBe(true);
    expect(listening.recording.agentOnly().length).toBeLessThan(rateHz);
  });
});
