import { beforeAll, describe, expect, it } from "vitest";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { spokenLine } from "../support/speech-engines.ts";

describe("local voice activity", () => {
  let createDetector: CreateVoiceActivityDetector;
  let speech: Int16Array;
  beforeAll(async () => {
    createDetector = await loadVoiceActivity();
    const text = "I would like to check the balance of my account please";
    speech = await spokenLine({ text, voice: "slt", sampleRateHz: 16_000 });
  });

  /** The share of 20 ms frames that sound like speech. */
  function shareOfSpeech(samples: Int16Array, sampleRateHz = 16_000): number {
    const detector = createDetector({ sampleRateHz, sensitivity: "medium" });
    const length = sampleRateHz / 50;
    const frames = Math.floor(samples.length / length);
    let speechFrames = 0;
    for (let frame = 0; frame < frames; frame++)
      if (detector.isSpeech(samples.subarray(frame * length, (frame + 1) * length))) speechFrames += 1;
    detector.close();
    return speechFrames / frames;
  }

  it.each([8_000, 16_000, 24_000, 48_000])("hears speech at %i Hz", (sampleRateHz) => {
    expect(shareOfSpeech(resampleAll(speech, 16_000, sampleRateHz), sampleRateHz)).toBeGreaterThan(0.7);
  });

  it("hears none in silence", () => {
    expect(shareOfSpeech(new Int16Array(48_000))).toBe(0);
  });

  it("[TURN-9a] hears none in the tones of a telephone's keys", () => {
    const isOn = (at: number): boolean => at % 3200 < 1600;
    const tone = (at: number, hz: number): number => 4000 * Math.sin((2 * Math.PI * hz * at) / 16_000);
    const keys = Int16Array.from({ length: 32_000 }, (_, at) => (isOn(at) ? tone(at, 852) + tone(at, 1477) : 0));
    expect(shareOfSpeech(keys)).toBe(0);
  });

  it("hears next to none in noise", () => {
    let seed = 1;
    const noise = Int16Array.from({ length: 16_000 * 10 }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return ((seed >>> 16) - 32_768) / 40;
    });
    expect(shareOfSpeech(noise.subarray(16_000 * 4))).toBeLessThan(0.05);
  });

  it.each([
    ["the offset of a cheap sound card", () => 1000],
    ["the hum of the mains", (at: number) => 1500 * Math.sin((2 * Math.PI * 50 * at) / 16_000)],
  ])("hears a caller as well over %s", (_what, added) => {
    const quieter = speech.map((sample) => sample / 4);
    const marred = quieter.map((sample, at) => sample + added(at));
    expect(shareOfSpeech(marred)).toBeGreaterThan(0.9 * shareOfSpeech(quieter));
  });

  it("hears the first word after a long quiet as soon as after a short one, although it has looked at a few quiet frames only", () => {
    const soft = Int16Array.from({ length: 320 }, (_, at) => ((at * 7919) % 61) - 30);
    const verdictsAfter = (quietFrames: number): boolean[] => {
      const detector = createDetector({ sampleRateHz: 16_000, sensitivity: "medium" });
      for (let frame = 0; frame < quietFrames; frame++) expect(detector.isSpeech(soft)).toBe(false);
      const verdicts = Array.from({ length: 60 }, (_, frame) =>
        detector.isSpeech(speech.subarray(frame * 320, (frame + 1) * 320)),
      );
      detector.close();
      return verdicts;
    };
    const afterShort = verdictsAfter(10);
    expect(afterShort).toContain(true);
    for (const quietFrames of [50, 51, 52, 53, 500]) expect(verdictsAfter(quietFrames)).toEqual(afterShort);
  });

  it("keeps its sessions apart", () => {
    const talking = createDetector({ sampleRateHz: 16_000, sensitivity: "medium" });
    const silent = createDetector({ sampleRateHz: 16_000, sensitivity: "medium" });
    let heard = 0;
    for (let start = 0; start + 320 <= speech.length; start += 320) {
      if (talking.isSpeech(speech.subarray(start, start + 320))) heard += 1;
      expect(silent.isSpeech(new Int16Array(320))).toBe(false);
    }
    expect(heard).toBeGreaterThan(20);
    talking.close();
    silent.close();
  });

  it("is deaf after it was closed, and can be closed twice", () => {
    const detector = createDetector({ sampleRateHz: 16_000, sensitivity: "high" });
    detector.close();
    detector.close();
    expect(detector.isSpeech(speech.subarray(8_000, 8_320))).toBe(false);
  });

  it("refuses a frame of another length", () => {
    const detector = createDetector({ sampleRateHz: 16_000, sensitivity: "low" });
    expect(() => detector.isSpeech(new Int16Array(160))).toThrow(RangeError);
    detector.close();
  });
});
