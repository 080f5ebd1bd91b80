import { describe, expect, it } from "vitest";
import { fakeVoice } from "@voice/provider-kit/testing/fake-voice";
import { TouchTones } from "./touch-tone.ts";

const rates = [8_000, 16_000, 48_000];
const keys = [697, 770, 852, 941].flatMap((low) => [1209, 1336, 1477, 1633].map((high) => [low, high] as const));

/** 20 ms of these tones. */
const tones = (rateHz: number, hz: readonly number[], level = 4000): Int16Array =>
  Int16Array.from({ length: rateHz / 50 }, (_, at) =>
    hz.reduce((sum, toneHz) => sum + level * Math.sin((2 * Math.PI * toneHz * at) / rateHz), 0),
  );

describe("[TURN-9a] the tones of a telephone's keys", () => {
  it.each(rates)("are known at %i Hz, loud and soft, and 1 % off", (rateHz) => {
    const found = new TouchTones(rateHz);
    for (const [low, high] of keys)
      for (const [level, detuned] of [
        [12_000, 1],
        [100, 1],
        [4000, 1.01],
        [4000, 0.99],
      ] as const)
        expect(found.isTone(tones(rateHz, [low * detuned, high * detuned], level))).toBe(true);
  });

  it.each(rates)("are none of silence, single tones and voices at %i Hz", (rateHz) => {
    const found = new TouchTones(rateHz);
    expect(found.isTone(new Int16Array(rateHz / 50))).toBe(false);
    for (const hz of [50, 440, 697, 1336, 2000]) expect(found.isTone(tones(rateHz, [hz]))).toBe(false);
    const voice = fakeVoice(3, 3000);
    for (let at = 0; at + rateHz / 50 <= voice.length; at += rateHz / 50)
      expect(found.isTone(voice.subarray(at, at + rateHz / 50))).toBe(false);
  });

  it("are not all that is heard where somebody speaks as well", () => {
    const found = new TouchTones(16_000);
    const frame = tones(16_000, [770, 1336, 250, 500, 2200], 2000);
    expect(found.isTone(frame)).toBe(false);
  });
});
