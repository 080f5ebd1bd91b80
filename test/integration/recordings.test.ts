/**
 * The doubles beside recordings of what they stand for: those that `npm run record` wrote, and those made from the vendors'
 * published examples. Whoever has an account can prove a double wrong by adding a file.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import type { Answer } from "@voice/local/emulators/openai/answer";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { startRealtimeEmulator } from "@voice/local/emulators/openai-realtime/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { startSpeechEmulator } from "@voice/local/emulators/speech/emulator";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { differences } from "@voice/local/record/compare";
import { recordConversation } from "@voice/local/record/record";
import { readRecording, type Recording, type RecordingTarget } from "@voice/local/record/recording";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { describe, expect, it } from "vitest";

const key = "key-of-the-double";
const folder = path.join(import.meta.dirname, "../fixtures/recordings");
const real = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readRecording(path.join(folder, name))),
);

/** Calls the tool at the caller's question, and answers everything else in words. */
function engines() {
  const recogniser = createScriptedRecogniser();
  const respond = ({ messages }: { readonly messages: readonly { readonly role: string }[] }): Answer => {
    const roles = new Set(messages.map(({ role }) => role));
    return roles.has("tool") || !roles.has("user")
      ? { kind: "completion", text: "From nine to five." }
      : { kind: "completion", text: "", toolCalls: [{ name: "opening_hours", argumentsJson: `{"day":"monday"}` }] };
  };
  return { recogniser, synthesiser: createToneSynthesiser(), respond, key };
}

interface Double {
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const doubles: Readonly<Record<RecordingTarget, () => Promise<Double>>> = {
  async chat() {
    const { respond } = engines();
    const { baseUrl, close } = await startOpenAiEmulator({ respond, key });
    return { settings: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key, OPENAI_CHAT_MODEL: "gpt" }, close };
  },
  async "voice-live"() {
    const { endpoint, close } = await startVoiceLiveEmulator(engines());
    const settings = { CLOUD_VOICELIVE_ENDPOINT: endpoint, CLOUD_VOICELIVE_KEY: key };
    return { settings: { ...settings, CLOUD_VOICELIVE_MODEL: "gpt-realtime" }, close };
  },
  async "openai-realtime"() {
    const { baseUrl, close } = await startRealtimeEmulator(engines());
    const settings = { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key };
    return { settings: { ...settings, OPENAI_REALTIME_MODEL: "gpt-realtime-2.1" }, close };
  },
  async speech() {
    const { endpoint, close } = await startSpeechEmulator(engines());
    return { settings: { CLOUD_SPEECH_ENDPOINT: endpoint.replace("ws:", "http:"), CLOUD_SPEECH_KEY: key }, close };
  },
};

async function recordDouble(target: RecordingTarget): Promise<Recording> {
  const double = await doubles[target]();
  try {
    return await recordConversation({
      target,
      settings: loadSettings(double.settings),
      secrets: [key],
      clock: systemClock,
      voice: createToneSynthesiser(),
      signal: AbortSignal.timeout(60_000),
    });
  } finally {
    await double.close();
  }
}

describe.concurrent.each(Object.keys(doubles) as RecordingTarget[])("the double of %s", (target) => {
  it("answers in the form of every recording of the real service, and a recording of the double has no secret and no text", async () => {
    const own = await recordDouble(target);
    const recordings = real.filter((recording) => recording.target === target);
    expect(recordings.length).toBeGreaterThan(0);
    for (const recording of recordings)
      expect({ origin: recording.origin, differences: differences(own, recording) }).toEqual({
        origin: recording.origin,
        differences: [],
      });
    const text = JSON.stringify(own);
    expect(text).not.toContain(key);
    expect(text).not.toMatch(/monday|nine to five/i);
    expect(own.messages.length).toBeGreaterThan(3);
  });
});
