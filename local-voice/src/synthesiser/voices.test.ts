import { describe, expect, it } from "vitest";
import { fliteSettings, fliteVoices } from "./voices.ts";

const voiceOf = (name: string): string => fliteSettings({ name }).voice;

describe("voices", () => {
  it.each([
    ["en-US-JennyNeural", "slt"],
    ["en-US-JennyMultilingualNeural", "slt"],
    ["en-US-AvaMultilingualNeural", "slt"],
    ["en-US-Ava:DragonHDLatestNeural", "slt"],
    ["shimmer", "slt"],
    ["en-US-GuyNeural", "rms"],
    ["en-US-AndrewMultilingualNeural", "rms"],
    ["onyx", "rms"],
    ["en-GB-RyanNeural", "awb"],
    ["en-GB-SoniaNeural", "slt"],
    ["male", "rms"],
    ["female", "slt"],
    ["kal16", "kal16"],
  ])("gives %s to %s", (name, voice) => {
    expect(voiceOf(name)).toBe(voice);
  });

  it.each(["", "de-DE-KatjaNeural", "someone-else", "日本"])(
    "gives an unknown name (%s) a voice of its own for ever",
    (name) => {
      expect(fliteVoices).toContain(voiceOf(name));
      expect(fliteSettings({ name })).toEqual(fliteSettings({ name }));
    },
  );

  it("lets two women who share Flite's female voice sound different", () => {
    const pitches = ["en-US-JennyNeural", "en-US-AvaNeural", "en-US-AriaNeural", "en-US-NancyNeural"].map(
      (name) => fliteSettings({ name }).pitchShift,
    );
    expect(new Set(pitches).size).toBeGreaterThan(1);
  });

  it("turns a relative rate into a stretch", () => {
    expect(fliteSettings({ name: "slt", rate: "+25%" }).durationStretch).toBeCloseTo(0.8);
    expect(fliteSettings({ name: "slt", rate: "-20%" }).durationStretch).toBeCloseTo(1.25);
    expect(fliteSettings({ name: "slt", rate: "+900%" }).durationStretch).toBe(0.5);
  });

  it("turns a relative pitch into a shift and ignores what it cannot read", () => {
    expect(fliteSettings({ name: "slt", pitch: "+10%" }).pitchShift).toBeCloseTo(1.1);
    expect(fliteSettings({ name: "slt", pitch: "high", rate: "fast" })).toEqual(fliteSettings({ name: "slt" }));
  });
});
