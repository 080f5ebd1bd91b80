import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import type { VoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { RealtimeLog } from "@voice/provider-kit/contracts/realtime-log";
import { documentedRefusals } from "@voice/local/emulators/voice-live/refused-settings";
import type { RefuseSettings } from "@voice/local/emulators/voice-live/refused-settings";
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { afterEach, describe, expect, it } from "vitest";

const settings: RealtimeSettings = {
  instructions: "Be brief.",
  voice: { name: "en-US-AvaNeural" },
  tools: [],
  sampleRateHz: 24_000,
  language: "en-US",
  phrases: ["Contoso"],
  temperature: 0.2,
  turnDetection: { kind: "semantic", silenceMs: 300, interruptsResponse: true },
  noiseSuppression: true,
  echoCancellation: true,
};

let emulator: VoiceLiveEmulator;
afterEach(() => emulator.close());

async function modelOf(name: string, refuse: RefuseSettings = documentedRefusals) {
  emulator = await startVoiceLiveEmulator({
    recogniser: createScriptedRecogniser(),
    synthesiser: createToneSynthesiser(),
    respond: () => ({ kind: "completion", text: "Hello." }),
    refuse,
  });
  return createVoiceLiveModel({
    endpoint: { url: emulator.endpoint, model: name, credential: { kind: "key", key: "k" } },
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    clock: systemClock,
    logger: silentLogger,
  });
}

const nobody = { onEvent: () => undefined, onEnded: () => undefined };
const open = async (name: string, more: Partial<RealtimeSettings> = {}, refuse?: RefuseSettings) => {
  const model = await modelOf(name, refuse);
  const session = await model.open({ ...settings, ...more }, nobody, new AbortController().signal);
  session.close();
  return { model, sent: sentTo(0) };
};
const sentTo = (connection: number) =>
  (emulator.connections[connection]?.received ?? []).flatMap((event) =>
    event.type === "session.update" ? [event.session] : [],
  );

describe("the settings of a session", () => {
  it("have no phrases and a temperature in its range where the model hears for itself", async () => {
    const { sent } = await open("gpt-realtime");
    expect(sent).toHaveLength(1);
    expect(sent[0]?.input_audio_transcription).not.toHaveProperty("phrase_list");
    expect(sent[0]?.temperature).toBe(0.6);
  });

  it("have phrases and any temperature where the service transcribes for the model", async () => {
    const { sent } = await open("gpt-4.1");
    expect(sent[0]).toMatchObject({ input_audio_transcription: { phrase_list: ["Contoso"] }, temperature: 0.2 });
  });

  it("ask for the times of words where the voice has them", async () => {
    expect((await open("gpt-4.1")).sent[0]?.output_audio_timestamp_types).toEqual(["word"]);
    await emulator.close();
    expect((await open("gpt-4.1", { voice: { name: "alloy" } })).sent[0]).not.toHaveProperty(
      "output_audio_timestamp_types",
    );
  });

  it.each([
    [
      { name: "Ada", endpointId: "deployment" },
      { type: "azure-custom", name: "Ada", endpoint_id: "deployment" },
    ],
    [
      { name: "profile", personalModel: "DragonLatestNeural" },
      { type: "azure-personal", name: "profile", model: "DragonLatestNeural" },
    ],
  ])("name a voice that is the customer's own: %o", async (voice, named) => {
    expect((await open("gpt-4.1", { voice })).sent[0]?.voice).toEqual(named);
  });

  it("are sent again without an optional part that the service refuses, and without it from then on", async () => {
    const refuse: RefuseSettings = ({ output_audio_timestamp_types }) =>
      output_audio_timestamp_types && { code: "invalid_value", param: "session.output_audio_timestamp_types" };
    const { model, sent } = await open("gpt-4.1", {}, refuse);
    expect(sent.map((session) => "output_audio_timestamp_types" in session)).toEqual([true, false]);
    const again = await model.open(settings, nobody, new AbortController().signal);
    again.close();
    expect(sentTo(1).map((session) => "output_audio_timestamp_types" in session)).toEqual([false]);
    expect(model.health().status).toBe("healthy");
  });

  it("end a session that does not take them for the next agent, who would speak as the one before", async () => {
    const refuse: RefuseSettings = ({ voice }) =>
      voice?.name === "echo" ? { code: "invalid_value", param: "session.voice" } : undefined;
    const model = await modelOf("gpt-4.1", refuse);
    const log = new RealtimeLog();
    const session = await model.open(settings, log, new AbortController().signal);
    session.update({ ...settings, instructions: "You are another one.", voice: { name: "echo" } });
    await expect
      .poll(() => log.ended)
      .toMatchObject([
        {
          retryable: true,
          reason: "the realtime model refused a request (invalid_value, session.voice)",
        },
      ]);
    session.close();
  });

  it("keep for other agents what one agent's value was refused for", async () => {
    const refuse: RefuseSettings = ({ temperature }) =>
      temperature === 2 ? { code: "invalid_value", param: "session.temperature" } : undefined;
    const { model, sent } = await open("gpt-4.1", { temperature: 2 }, refuse);
    expect(sent.map(({ temperature }) => temperature)).toEqual([2, undefined]);
    (await model.open(settings, nobody, new AbortController().signal)).close();
    expect(sentTo(1).map(({ temperature }) => temperature)).toEqual([0.2]);
  });

  it("are sent again to both of two sessions that are refused the same at the same time", async () => {
    const refuse: RefuseSettings = ({ output_audio_timestamp_types }) =>
      output_audio_timestamp_types && { code: "invalid_value", param: "session.output_audio_timestamp_types" };
    const model = await modelOf("gpt-4.1", refuse);
    const both = [1, 2].map(() => model.open(settings, nobody, new AbortController().signal));
    for (const session of await Promise.all(both)) session.close();
    expect([0, 1].map((connection) => sentTo(connection).length)).toEqual([2, 2]);
  });

  it("that are refused for good are reported with the field, and say nothing of the model, which others talk to", async () => {
    const model = await modelOf("gpt-4.1", () => ({ code: "invalid_value", param: "session.voice" }));
    const reason = "the realtime model refused a request (invalid_value, session.voice)";
    await expect(model.open(settings, nobody, new AbortController().signal)).rejects.toMatchObject({ reason });
    expect(model.health()).toMatchObject({ status: "healthy", lastReason: reason });
  });
});
