import { describe, expect, it } from "vitest";
import { fakeVoice } from "@voice/provider-kit/testing/fake-voice";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { RecordedLog } from "../testing/recorded-log.ts";
import { composeVoiceActivity } from "./voice-activity.ts";

const noBuild = (): Promise<never> =>
  Promise.reject(new Error("Cannot find module 'sherpa-onnx-linux-musl/sherpa-onnx.node'"));

function isHeard(createDetector: CreateVoiceActivityDetector): boolean {
  const detector = createDetector({ sampleRateHz: 16_000, sensitivity: "medium" });
  const speech = fakeVoice(1000, 16_000);
  const frames = Array.from({ length: 50 }, (_, at) => detector.isSpeech(speech.subarray(at * 320, (at + 1) * 320)));
  detector.close();
  return frames.filter(Boolean).length > 10;
}

describe("detection of speech in a host", () => {
  it("[SPEECH-25] does without the model where there is no build of it, and says so once", async () => {
    const logger = new RecordedLog();
    const createDetector = await composeVoiceActivity({ settings: { vadModelEnabled: true }, logger }, noBuild);
    expect(isHeard(createDetector) && isHeard(createDetector)).toBe(true);
    expect(logger.lines.map(({ level }) => level)).toEqual(["warn"]);
    expect(logger.lines[0]?.sentence).toContain("VAD_MODEL_ENABLED");
  });

  it("[SPEECH-25] never loads a model that the settings do without", async () => {
    const logger = new RecordedLog();
    expect(isHeard(await composeVoiceActivity({ settings: { vadModelEnabled: false }, logger }, noBuild))).toBe(true);
    expect(logger.lines).toEqual([]);
  });

  it("[SPEECH-21] asks the model before anything is speech", async () => {
    const deaf = (): Promise<() => boolean> => Promise.resolve(() => false);
    const parts = { settings: { vadModelEnabled: true }, logger: new RecordedLog() };
    const createDetector = await composeVoiceActivity(parts, deaf);
    expect(isHeard(createDetector)).toBe(false);
  });
});
