/** Azure OpenAI's realtime models, which take a key in a header of its own or a token, and transcribe by deployments. */
import { startRealtimeEmulator } from "@voice/local/emulators/openai-realtime/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { RealtimeLog, say } from "@voice/provider-kit/contracts/realtime-log";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import { loadSettings } from "@voice/shared/config/load";
import { partsOf } from "@voice/shared/config/parts";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createOpenAiRealtimeFromSettings } from "@voice/streaming-host/providers/openai/realtime/from-settings";
import { createOpenAiRealtimeModel } from "@voice/streaming-host/providers/openai/realtime/realtime-model";
import type { RealtimeCredential } from "@voice/streaming-host/providers/openai/realtime/realtime-model";
import { afterEach, expect, it } from "vitest";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(
  credential: RealtimeCredential,
  {
    failing = [],
    transcriptionModel,
  }: { readonly failing?: readonly string[]; readonly transcriptionModel?: string } = {},
) {
  const emulator = await startRealtimeEmulator({
    recogniser: createScriptedRecogniser(),
    synthesiser: createToneSynthesiser(),
    respond: () => ({ kind: "completion", text: "Hello" }),
    failTranscription: (model) => failing.includes(model),
  });
  const model = createOpenAiRealtimeModel({
    baseUrl: emulator.baseUrl,
    model: "gpt-realtime-2.1",
    credential,
    transcriptionModel,
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    clock: systemClock,
    logger: silentLogger,
  });
  const log = new RealtimeLog();
  const session = await model.open(realtimeSettings, log, new AbortController().signal);
  closing.push(
    () => session.close(),
    () => emulator.close(),
  );
  return { emulator, session, log, model };
}

const transcribedBy = (received: readonly unknown[]): readonly string[] =>
  received.flatMap((event) => /"transcription":\{"model":"([^"]+)"/.exec(JSON.stringify(event))?.[1] ?? []);

it("are opened with a token of the identity where there is one", async () => {
  const { emulator } = await open({ kind: "token", token: () => Promise.resolve("entra") });
  expect(emulator.connections[0]?.headers.authorization).toBe("Bearer entra");
});

it("ask the identity for a token of the cognitive services where there is no key", async () => {
  const environment = {
    OPENAI_BASE_URL: "https://resource.openai.azure.com",
    OPENAI_REALTIME_MODEL: "my-realtime",
    OPENAI_REALTIME_TRANSCRIPTION_MODEL: "my-whisper",
  };
  const settings = loadSettings(environment);
  const part = partsOf(settings).realtimeModel;
  if (part.kind !== "openai") throw new Error("another model");
  expect(part.transcriptionModel).toBe("my-whisper");
  const scopes: string[] = [];
  const tokens = (scope: string) => {
    scopes.push(scope);
    return () => Promise.resolve("entra");
  };
  createOpenAiRealtimeFromSettings(part, settings, { tokens, clock: systemClock, logger: silentLogger });
  expect(scopes).toEqual(["https://cognitiveservices.azure.com/.default"]);
});

it("[RT-2] have the next transcription model once one fails for want of a deployment, and the named one first", async () => {
  const { emulator, session, log, model } = await open(
    { kind: "none" },
    { transcriptionModel: "mine", failing: ["mine"] },
  );
  say(session, 400);
  await expect.poll(() => log.of("user-transcript-failed")).toHaveLength(1);
  await expect.poll(() => transcribedBy(emulator.received)).toEqual(["mine", "gpt-transcribe"]);
  expect(model.health().learnt).toEqual([
    "audio.input.transcription mine was refused (transcription_failed) and is replaced by gpt-transcribe",
  ]);
  expect(JSON.stringify(log.of("user-transcript-failed"))).toContain("server_error");
});
