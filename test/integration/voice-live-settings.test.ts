import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import type { VoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import type { RealtimeServiceOptions } from "@voice/local/emulators/voice-live/realtime-server";
import { RealtimeLog, say } from "@voice/provider-kit/contracts/realtime-log";
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

async function modelOf(
  name: string,
  refuse: RefuseSettings = documentedRefusals,
  { transcriptionModel, ...faults }: Partial<RealtimeServiceOptions> & { readonly transcriptionModel?: string } = {},
) {
  emulator = await startVoiceLiveEmulator({
    recogniser: createScriptedRecogniser(),
    synthesiser: createToneSynthesiser(),
    respond: () => ({ kind: "completion", text: "Hello." }),
    refuse,
    ...faults,
  });
  return createVoiceLiveModel({
    transcriptionModel,
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
/** A session that stays open, with a log of its events. */
async function openLogged(...of: Parameters<typeof modelOf>) {
  const model = await modelOf(...of);
  const log = new RealtimeLog();
  return { model, log, session: await model.open(settings, log, new AbortController().signal) };
}
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

  it("have phrases where Microsoft's own model transcribes", async () => {
    const model = await modelOf("gpt-4.1", documentedRefusals, { transcriptionModel: "mai-transcribe-2" });
    (await model.open(settings, nobody, new AbortController().signal)).close();
    expect(sentTo(0)[0]).toMatchObject({ input_audio_transcription: { phrase_list: ["Contoso"] } });
  });

  it("[RT-4] say whether tools may be called in parallel where the agent does", async () => {
    expect((await open("gpt-4.1", { parallelToolCalls: false })).sent).toMatchObject([{ parallel_tool_calls: false }]);
    await emulator.close();
    expect((await open("gpt-4.1")).sent[0]).not.toHaveProperty("parallel_tool_calls");
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
    const { log, session } = await openLogged("gpt-4.1", refuse);
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

const unnamed: RefuseSettings = (session) =>
  "input_audio_echo_cancellation" in session ? { code: "invalid_request", param: "" } : undefined;

describe("settings that a service has limits for", () => {
  it("[RT-4] ask for no more tokens than it takes, and for the effort of the agent", async () => {
    const { sent } = await open("gpt-5-mini", { maxOutputTokens: 9000, reasoningEffort: "low" });
    expect(sent).toMatchObject([{ max_response_output_tokens: 4096, reasoning_effort: "low" }]);
  });

  it("[RT-1] are accepted without a value that it has no name for", async () => {
    const { sent } = await open("gpt-5-mini", { reasoningEffort: "max" });
    expect(sent).toHaveLength(1); // what is refused is not recorded
    expect(sent[0]).not.toHaveProperty("reasoning_effort");
  });

  it("[RT-1] are accepted without the part that it refuses and does not name, and so are all later ones at once", async () => {
    const { model, sent } = await open("gpt-4.1", {}, unnamed);
    expect(sent.at(-1)).not.toHaveProperty("input_audio_echo_cancellation");
    expect(sent.at(-1)).toMatchObject({ turn_detection: {}, input_audio_noise_reduction: {}, voice: {} });
    (await model.open(settings, nobody, new AbortController().signal)).close();
    expect(sentTo(1)).toHaveLength(1);
    expect(model.health().learnt).toEqual([
      "input_audio_echo_cancellation server_echo_cancellation was refused (invalid_request) and is left out",
    ]);
  });

  it.each(["close", "error and close", "no event id"] as const)(
    "[RT-40] are accepted without a refused part where the service answers with: %s, and at once from then on",
    async (manner) => {
      for (const param of ["session.input_audio_echo_cancellation", ""]) {
        const refuse: RefuseSettings = (session) =>
          "input_audio_echo_cancellation" in session ? { code: "invalid_request", param, manner } : undefined;
        const { model } = await open("gpt-4.1", {}, refuse);
        const opened = emulator.connections.length;
        (await model.open(settings, nobody, new AbortController().signal)).close();
        expect(emulator.connections).toHaveLength(opened + 1);
        expect(sentTo(opened)).toMatchObject([{ turn_detection: {}, input_audio_noise_reduction: {}, voice: {} }]);
        expect(model.health()).toMatchObject({
          status: "healthy",
          learnt: [expect.stringContaining("echo_cancellation")],
        });
        await emulator.close();
      }
    },
  );

  it("[RT-41] blame no part where one refusal was about something else", async () => {
    let refusals = 0;
    const { model, sent } = await open("gpt-4.1", {}, () =>
      refusals++ === 0 ? { code: "conversation_busy", param: "" } : undefined,
    );
    expect(sent.at(-1)).toEqual(sent[0]);
    expect(model.health().learnt).toEqual([]);
  });

  it("[RT-40] have the next agent's settings repaired in an open session that names neither event nor part", async () => {
    const refuse: RefuseSettings = ({ temperature }) =>
      temperature === 1.1 ? { code: "invalid_value", param: "", manner: "no event id" } : undefined;
    const { log, session } = await openLogged("gpt-4.1", refuse);
    session.update({ ...settings, instructions: "You are another one.", temperature: 1.1 });
    await expect
      .poll(() => log.of("settings-repaired"))
      .toEqual([{ type: "settings-repaired", part: "temperature", how: "left_out" }]);
    expect(sentTo(0).at(-1)).toMatchObject({ instructions: "You are another one.", turn_detection: {} });
    expect(log.of("error")).toEqual([]);
    session.close();
  });

  it("[RT-41] have another connection where the service could not take the next agent's, for a reason of its own", async () => {
    let isOpen = false;
    const { model, log, session } = await openLogged("gpt-4.1", () =>
      isOpen ? { code: "internal_error", param: "" } : undefined,
    );
    isOpen = true;
    session.update({ ...settings, instructions: "You are another one." });
    await expect.poll(() => log.ended).toMatchObject([{ code: "upstream_unavailable", retryable: true }]);
    expect(model.health().learnt).toEqual([]);
  });

  it("[RT-41] have another connection where an open session does not change its voice, which is not learnt", async () => {
    let isOpen = false;
    const refuse: RefuseSettings = ({ voice }) =>
      isOpen && voice?.name === "en-US-EmmaNeural" ? { code: "invalid_value", param: "" } : undefined;
    const { model, log, session } = await openLogged("gpt-4.1", refuse);
    isOpen = true;
    const next = { ...settings, voice: { name: "en-US-EmmaNeural" } };
    session.update(next);
    await expect.poll(() => log.ended).toMatchObject([{ retryable: true }]);
    isOpen = false;
    (await model.open(next, nobody, new AbortController().signal)).close();
    expect(sentTo(1)).toMatchObject([{ voice: { name: "en-US-EmmaNeural" } }]);
    expect(model.health().learnt).toEqual([]);
  });

  it("have the next agent's settings repaired in an open session, where one of them is refused", async () => {
    const refuse: RefuseSettings = ({ temperature }) =>
      temperature === 1.1 ? { code: "invalid_value", param: "session.temperature" } : undefined;
    const { log, session } = await openLogged("gpt-4.1", refuse);
    session.update({ ...settings, instructions: "You are another one.", temperature: 1.1 });
    await expect
      .poll(() => log.of("settings-repaired"))
      .toEqual([{ type: "settings-repaired", part: "temperature", how: "left_out" }]);
    expect(sentTo(0).at(-1)).toMatchObject({ instructions: "You are another one." });
    expect(log.ended).toEqual([]);
    session.close();
  });
});

const refuseAzure: RefuseSettings = ({ input_audio_transcription: transcription }) =>
  transcription?.model === "azure-speech"
    ? { code: "invalid_value", param: "session.input_audio_transcription.model" }
    : undefined;

describe("the transcription of a session", () => {
  const modelsSent = (): readonly unknown[] => sentTo(0).map((session) => session.input_audio_transcription?.model);

  it("[RT-2] is by Azure's model first, and by a documented one where the service refuses that", async () => {
    const { model } = await open("gpt-realtime", {}, refuseAzure);
    expect(modelsSent()).toEqual(["azure-speech", "gpt-4o-transcribe"]);
    expect(model.health().learnt).toEqual([
      "input_audio_transcription azure-speech was refused (invalid_value) and is replaced by gpt-4o-transcribe",
    ]);
  });

  it("is by the model that the settings name", async () => {
    const model = await modelOf("gpt-realtime", documentedRefusals, { transcriptionModel: "mai-transcribe" });
    (await model.open(settings, nobody, new AbortController().signal)).close();
    expect(modelsSent()).toEqual(["mai-transcribe"]);
  });

  it("[RT-2] is by the next model once one fails that has never worked, and stays with one that has", async () => {
    const failing = new Set(["azure-speech"]);
    const { log, session } = await openLogged("gpt-realtime", documentedRefusals, {
      failTranscription: (name) => failing.has(name),
    });
    say(session, 400);
    await expect.poll(() => log.of("user-transcript-failed")).toHaveLength(1);
    await expect.poll(() => log.of("settings-repaired")).toHaveLength(1);
    say(session, 400);
    await expect.poll(() => log.of("user-transcript").filter(({ isFinal }) => isFinal)).toHaveLength(1);
    failing.add("gpt-4o-transcribe");
    say(session, 400);
    await expect.poll(() => log.of("user-transcript-failed")).toHaveLength(2);
    expect(modelsSent()).toEqual(["azure-speech", "gpt-4o-transcribe"]);
    expect(log.events.filter(({ type }) => type === "error" || type === "unknown")).toEqual([]);
    session.close();
  });

  it("[RT-2] that the service has none of leaves a note of each of the caller's turns", async () => {
    const refuse: RefuseSettings = ({ input_audio_transcription: transcription }) =>
      transcription == null ? undefined : { code: "invalid_value", param: "session.input_audio_transcription" };
    const { log, session } = await openLogged("gpt-4.1", refuse);
    say(session, 400);
    await expect.poll(() => log.of("user-transcript-failed")).toHaveLength(1);
    session.close();
  });
});

describe("the language of an agent", () => {
  it.each([
    ["en-GB", { type: "azure_semantic_vad" }],
    ["de-DE", { type: "azure_semantic_vad_multilingual", languages: ["de"] }],
    ["ja-JP", { type: "azure_semantic_vad_multilingual", languages: ["ja"] }],
    ["nl-NL", { type: "server_vad" }],
    ["pl-PL", { type: "server_vad" }],
  ])("[RT-6] %s has the turn detection that knows it", async (language, detection) => {
    const { sent } = await open("gpt-4.1", { language });
    expect(sent[0]).toMatchObject({ turn_detection: detection, input_audio_transcription: { language } });
    expect(sent[0]?.turn_detection).not.toHaveProperty("prefix_padding_ms");
  });

  it("[RT-42] has the other languages of callers beside it, where the transcription tells them apart", async () => {
    const candidateLanguages = ["en-US", "fr-FR", "de-DE"];
    const { sent } = await open("gpt-4.1", { language: "de-DE", candidateLanguages });
    expect(sent[0]).toMatchObject({
      input_audio_transcription: { model: "azure-speech", language: "de-DE,en-US,fr-FR" },
      turn_detection: { type: "azure_semantic_vad_multilingual", languages: ["de", "en", "fr"] },
    });
    await emulator.close();
    const dutch = await open("gpt-4.1", { language: "en-US", candidateLanguages: ["nl-NL"] });
    expect(dutch.sent[0]).toMatchObject({ turn_detection: { type: "server_vad" } });
  });

  it("[RT-42] is alone where another model has to transcribe", async () => {
    const { sent } = await open("gpt-realtime", { language: "de-DE", candidateLanguages: ["en-US"] }, refuseAzure);
    // Of several languages it finds out by itself which one is spoken.
    expect(sent.at(-1)).toMatchObject({ input_audio_transcription: { model: "gpt-4o-transcribe" } });
    expect(JSON.stringify(sent.at(-1))).not.toContain('"language":');
    const german = await open("gpt-realtime", { language: "de-DE" }, refuseAzure);
    expect(german.sent.at(-1)).toMatchObject({ input_audio_transcription: { language: "de-DE" } });
  });

  it("[RT-6] changes with the agent in an open session", async () => {
    const model = await modelOf("gpt-4.1");
    const session = await model.open(settings, nobody, new AbortController().signal);
    session.update({ ...settings, language: "fr-FR", voice: { name: "fr-FR-DeniseNeural" } });
    await expect.poll(() => sentTo(0)).toHaveLength(2);
    expect(sentTo(0)[1]).toMatchObject({
      turn_detection: { type: "azure_semantic_vad_multilingual", languages: ["fr"] },
      input_audio_transcription: { language: "fr-FR" },
      voice: { name: "fr-FR-DeniseNeural" },
    });
    session.close();
  });
});

describe("the voice of a session", () => {
  it.each([
    ["gpt-realtime-2.1", { name: "marin", style: "chat", rate: "+3%" }, { type: "openai", name: "marin" }],
    ["azure-realtime", { name: "ava", rate: "+3%" }, { type: "azure-realtime-native", name: "ava" }],
    [
      "gpt-4.1",
      { name: "en-US-Ava:DragonHDLatestNeural", style: "chat", rate: "+3%", pitch: "+1%" },
      { type: "azure-standard", name: "en-US-Ava:DragonHDLatestNeural" },
    ],
    [
      "gpt-4.1",
      { name: "en-US-Ava:DragonHDOmniLatestNeural", style: "empathetic", rate: "+3%", pitch: "+1%" },
      { type: "azure-standard", name: "en-US-Ava:DragonHDOmniLatestNeural", style: "empathetic" },
    ],
    [
      "gpt-4.1",
      { name: "profile", personalModel: "DragonLatestNeural", style: "chat", rate: "+3%" },
      { type: "azure-personal", name: "profile", model: "DragonLatestNeural", rate: "+3%" },
    ],
  ])("[RT-6] of %s has only what it takes", async (model, voice, named) => {
    expect((await open(model, { voice })).sent.map((session) => session.voice)).toEqual([named]);
  });

  it("[RT-1] is the service's own where it refuses the agent's", async () => {
    const { sent } = await open("gpt-4.1", { voice: { name: "ava" } });
    expect(sent.at(-1)).not.toHaveProperty("voice");
  });
});

describe("the model of a session", () => {
  const modelsAsked = (): readonly unknown[] => emulator.connections.map(({ url }) => url.searchParams.get("model"));

  it("[RT-4] is the one that the agent names", async () => {
    await open("gpt-realtime-2.1", { model: "gpt-realtime-2.1-mini" });
    expect(modelsAsked()).toEqual(["gpt-realtime-2.1-mini"]);
    expect(emulator.connections[0]?.url.searchParams.get("api-version")).toBe("2026-07-15");
  });

  it("[RT-4] is the one of the settings where the service does not have the agent's, from then on", async () => {
    const model = await modelOf("gpt-realtime-2.1");
    emulator.fail({ kind: "refuse", status: 404 });
    for (const _ of [1, 2])
      (await model.open({ ...settings, model: "gone" }, nobody, new AbortController().signal)).close();
    expect(modelsAsked()).toEqual(["gpt-realtime-2.1", "gpt-realtime-2.1"]);
    expect(emulator.handshakes()).toBe(3);
  });

  it("[RT-4] is the one of the settings where the service closes the connection over the agent's", async () => {
    const model = await modelOf("gpt-realtime-2.1");
    emulator.fail({ kind: "close", at: "open", code: 4000, reason: "invalid_request_error.invalid_model" });
    (await model.open({ ...settings, model: "gone" }, nobody, new AbortController().signal)).close();
    expect(modelsAsked()).toEqual(["gone", "gpt-realtime-2.1"]);
    expect(model.health()).toMatchObject({
      status: "healthy",
      learnt: ["model gone was refused and is replaced by gpt-realtime-2.1"],
    });
  });

  it.each([
    [1008, "Rate limit exceeded, please wait", { code: "rate_limited" }],
    [1008, "Too many connections", { code: "rate_limited" }],
    [3000, "Unauthorized", { code: "upstream_unavailable", retryable: false }],
    [1011, "internal error", { code: "upstream_unavailable", message: expect.stringContaining("1011") }],
  ])("[RT-41] is not replaced where the service closes with %i, %s", async (code, reason, error) => {
    const model = await modelOf("gpt-realtime-2.1");
    emulator.fail({ kind: "close", at: "open", code, reason });
    const opening = model.open({ ...settings, model: "mine" }, nobody, new AbortController().signal);
    await expect(opening).rejects.toMatchObject(error);
    expect(modelsAsked()).toEqual(["mine"]);
  });

  it("[RT-44] is named with what its responses cost", async () => {
    const model = await modelOf("gpt-realtime-2.1");
    const log = new RealtimeLog();
    const session = await model.open({ ...settings, model: "gpt-4.1" }, log, new AbortController().signal);
    session.respond({ say: "Hello." });
    await expect.poll(() => log.of("response-finished")).toMatchObject([{ usage: { model: "gpt-4.1" } }]);
    session.close();
  });

  it("[RT-4] is another connection's where the next agent has another one", async () => {
    const { log, session } = await openLogged("gpt-realtime-2.1");
    session.update({ ...settings, model: "gpt-4.1" });
    expect(log.ended).toMatchObject([{ code: "upstream_unavailable", retryable: true }]);
  });
});
