/** The emulators as `npm run emulators` starts them: real engines behind them, the product's own adapters in front. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { findAgent } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { noRules } from "@voice/shared/catalog/rules";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { startEmulators } from "@voice/local/emulators/start-emulators";
import type { Emulators } from "@voice/local/emulators/start-emulators";
import { createAzureSynthesiser } from "@voice/streaming-host/providers/azure/synthesiser";
import { createOpenAiLanguageModel } from "@voice/streaming-host/providers/openai/language-model";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";
import type { ModelEvent, ModelTool } from "@voice/streaming-host/providers/ports/language-model";
import type { RealtimeEvent } from "@voice/streaming-host/providers/ports/realtime-model";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { afterAll, beforeAll, expect, it } from "vitest";
import { speak } from "../contract/synthesiser-contract.ts";

const common = {
  retry: { maxAttempts: 2, backoffFactor: 2, jitter: true },
  clock: systemClock,
  logger: silentLogger,
};
const neverAborted: AbortSignal = new AbortController().signal;
let catalog: Catalog;
let emulators: Emulators;
let callerVoice: Synthesiser;

const setting = (name: string): string => emulators.settings[name] ?? "";
const key = (name: string) => ({ kind: "key" as const, key: setting(name) });

beforeAll(async () => {
  catalog = await loadCatalog([builtInCatalogDir()], { tools: builtInTools, mcpServers: [] });
  emulators = await startEmulators({ catalog, logger: silentLogger });
  callerVoice = createAzureSynthesiser({
    endpoint: {
      location: { kind: "host", url: setting("CLOUD_SPEECH_ENDPOINT") },
      credential: key("CLOUD_SPEECH_KEY"),
    },
    warm: { size: 0, sampleRateHz: 24_000 },
    requestTimeoutMs: 5_000,
    ...common,
  });
});

afterAll(async () => {
  await callerVoice.close();
  await emulators.close();
});

/** What the agent would be told and may call. */
function frontDesk(): { readonly instructions: string; readonly tools: readonly ModelTool[] } {
  const agent = findAgent(catalog, "front-desk");
  const tools = (agent?.tools ?? []).map((name) => ({ name, description: name, parameters: { type: "object" } }));
  return { instructions: (agent?.prompt ?? "").replaceAll(/\{\{.*?\}\}/g, "Harbor Bank"), tools };
}

it("answers a chat as the agent whose prompt it is", async () => {
  const model = createOpenAiLanguageModel({
    endpoint: setting("CLOUD_OPENAI_ENDPOINT"),
    credential: key("CLOUD_OPENAI_KEY"),
    ...common,
  });
  const { instructions, tools } = frontDesk();
  const events: ModelEvent[] = [];
  const request = {
    agent: "not-on-the-wire",
    messages: [
      { role: "system" as const, content: instructions },
      { role: "user" as const, content: "I want to check my balance" },
    ],
    tools,
    settings: { deploymentId: setting("CLOUD_OPENAI_DEPLOYMENT") },
    rules: noRules,
    memory: {},
  };
  for await (const event of model.stream(request, neverAborted)) events.push(event);
  expect(events.length).toBeGreaterThan(1);
  expect(events.at(-1)).toMatchObject({ type: "finished" });
});

it("holds a spoken turn with Voice Live: a voice is understood, and answered with a voice", async () => {
  const model = createVoiceLiveModel({
    endpoint: {
      url: setting("CLOUD_VOICELIVE_ENDPOINT"),
      model: setting("CLOUD_VOICELIVE_MODEL"),
      credential: key("CLOUD_VOICELIVE_KEY"),
    },
    ...common,
  });
  const { samples } = await speak(callerVoice, "I want to check my balance", { sampleRateHz: 24_000 });
  const events: RealtimeEvent[] = [];
  const session = await model.open(
    {
      ...frontDesk(),
      voice: { name: "en-US-AvaMultilingualNeural" },
      sampleRateHz: 24_000,
      language: "en-US",
      phrases: [],
      turnDetection: { kind: "semantic", silenceMs: 500, interruptsResponse: true },
      noiseSuppression: false,
      echoCancellation: false,
    },
    { onEvent: (event) => events.push(event), onEnded: (error) => expect.unreachable(error.message) },
    neverAborted,
  );
  session.appendAudio(samples);
  session.appendAudio(new Int16Array(24_000));
  await expect.poll(() => events.map(({ type }) => type), { timeout: 10_000 }).toContain("response-finished");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "user-transcript", text: "i want to check my balance", isFinal: true }),
  );
  const answered = events.some(({ type }) => type === "audio" || type === "tool-call");
  expect(answered).toBe(true);
  expect(events.filter(({ type }) => type === "unknown" || type === "error")).toEqual([]);
  session.close();
});
