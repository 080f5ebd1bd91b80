import { describe, expect, it } from "vitest";
import { RecentAudio } from "../audio/recent-audio.ts";
import { whiteNoise } from "../audio/white-noise.ts";
import { measureProsody, prosodySamples } from "./measure-prosody.ts";

const rateHz = 16_000;
const silentFrames = 8;

/** A buzz as a larynx makes it, whose pitch and level go from one value to another. */
function say({ fromHz, toHz, fromLevel, toLevel }: Record<"fromHz" | "toHz" | "fromLevel" | "toLevel", number>) {
  const recent = new RecentAudio(prosodySamples);
  const length = rateHz * 0.8;
  let phase = 0;
  const samples = new Int16Array(length + silentFrames * 320);
  for (let index = 0; index < length; index++) {
    const share = index / length;
    phase += (fromHz + (toHz - fromHz) * share) / rateHz;
    const wave = Math.sin(2 * Math.PI * phase) + 0.5 * Math.sin(4 * Math.PI * phase);
    samples[index] = wave * (fromLevel + (toLevel - fromLevel) * share);
  }
  for (let at = 0; at < samples.length; at += 320) recent.push(samples.slice(at, at + 320));
  return measureProsody(recent, silentFrames);
}

describe("prosody", () => {
  it("hears a voice fall and fade", () => {
    const { pitchSlope, energySlope } = say({ fromHz: 180, toHz: 110, fromLevel: 8000, toLevel: 800 });
    expect(pitchSlope).toBeLessThan(-6);
    expect(energySlope).toBeLessThan(-20);
  });

  it("hears a voice that is held", () => {
    const { pitchSlope, energySlope } = say({ fromHz: 120, toHz: 120, fromLevel: 4000, toLevel: 4000 });
    expect(Math.abs(pitchSlope ?? 99)).toBeLessThan(2);
    expect(Math.abs(energySlope ?? 99)).toBeLessThan(10);
  });

  it("hears a voice rise", () => {
    expect(say({ fromHz: 110, toHz: 180, fromLevel: 4000, toLevel: 4000 }).pitchSlope).toBeGreaterThan(6);
  });

  it.each([12, 24])("[TURN-4e] measures how far a voice is above the noise after it: %i dB", (overNoiseDb) => {
    const recent = new RecentAudio(prosodySamples);
    const level = 12_000 / 10 ** (overNoiseDb / 20);
    for (let frame = 0; frame < 50 + silentFrames; frame++) {
      const loudness = frame < 50 ? 12_000 : level;
      recent.push(Int16Array.from({ length: 320 }, (_, at) => loudness * whiteNoise(frame * 320 + at)));
    }
    expect(Math.abs((measureProsody(recent, silentFrames).overNoiseDb ?? 99) - overNoiseDb)).toBeLessThan(1);
  });

  it("claims nothing about silence or too little sound", () => {
    const recent = new RecentAudio(prosodySamples);
    expect(measureProsody(recent, 8)).toEqual({
      pitchSlope: undefined,
      energySlope: undefined,
      overNoiseDb: undefined,
    });
    for (let frame = 0; frame < 60; frame++) recent.push(new Int16Array(320));
    expect(measureProsody(recent, 8).pitchSlope).toBeUndefined();
    expect(measureProsody(recent, 8).overNoiseDb).toBeUndefined();
  });
});
