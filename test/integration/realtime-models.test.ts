/** Voice Live and OpenAI's Realtime API keep the same promises, each over its own protocol. */
import { startRealtimeEmulator } from "@voice/local/emulators/openai-realtime/emulator";
import type { Answer } from "@voice/local/emulators/openai/answer";
import type { CompletionRequest } from "@voice/local/emulators/openai/completion-request";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createOpenAiRealtimeModel } from "@voice/streaming-host/providers/openai/realtime/realtime-model";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { expect, it } from "vitest";
import { realtimeModelContract, realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import type { RealtimeRig } from "@voice/provider-kit/contracts/realtime-model.contract";

const key = "the-key";
const common = {
  retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
  openTimeoutMs: 20_000,
  clock: systemClock,
  logger: silentLogger,
};

function engines() {
  const recogniser = createScriptedRecogniser();
  const answers: Answer[] = [];
  const asked: CompletionRequest[] = [];
  const respond = (request: CompletionRequest): Answer => {
    asked.push(request);
    return answers.shift() ?? { kind: "completion", text: "Hello" };
  };
  const service = { recogniser, synthesiser: createToneSynthesiser(), respond, key };
  const rig = { answers, asked, hears: (...texts: readonly string[]) => recogniser.script(...texts) };
  return { service, rig };
}

async function openAi(presented = key) {
  const { service, rig } = engines();
  const emulator = await startRealtimeEmulator(service);
  const model = createOpenAiRealtimeModel({
    ...common,
    baseUrl: emulator.baseUrl,
    model: "gpt-realtime-2.1",
    credential: { kind: "key", key: presented },
  });
  const hangUp = (): void => emulator.connections[0]?.close(1011, "gone");
  return { rig: { ...rig, model, hangUp, close: () => emulator.close() } satisfies RealtimeRig, emulator };
}

async function voiceLive(presented = key): Promise<RealtimeRig> {
  const { service, rig } = engines();
  const emulator = await startVoiceLiveEmulator(service);
  const credential = { kind: "key" as const, key: presented };
  const model = createVoiceLiveModel({
    ...common,
    endpoint: { url: emulator.endpoint, model: "gpt-realtime", credential },
  });
  const hangUp = (): void => emulator.connections[0]?.close(1011, "gone");
  return { ...rig, model, hangUp, close: () => emulator.close() };
}

realtimeModelContract({
  name: "Voice Live",
  wordMs: 250,
  create: () => voiceLive(),
  createRefused: () => voiceLive("another"),
});
realtimeModelContract({
  name: "OpenAI Realtime",
  wordMs: 250,
  create: async () => (await openAi()).rig,
  createRefused: async () => (await openAi("another")).rig,
});

it("keeps its voice at OpenAI once that was heard, where an update with another would be refused", async () => {
  const { rig, emulator } = await openAi();
  const finished = Promise.withResolvers<undefined>();
  const onEvent = ({ type }: { readonly type: string }): void => {
    if (type === "response-finished") finished.resolve(undefined);
  };
  const session = await rig.model.open(
    realtimeSettings,
    { onEvent, onEnded: finished.reject },
    new AbortController().signal,
  );
  try {
    session.respond({ say: "Hello." });
    await finished.promise;
    session.update({ ...realtimeSettings, voice: { name: "marin" } });
    await expect.poll(() => emulator.received).toHaveLength(3);
    expect(emulator.received).toMatchObject([
      { session: { type: "realtime", audio: { output: { voice: expect.stringMatching(/coral|shimmer|sage/) } } } },
      { type: "response.create" },
      { session: { audio: { output: expect.not.objectContaining({ voice: expect.anything() }) } } },
    ]);
  } finally {
    session.close();
    await rig.close();
  }
});
