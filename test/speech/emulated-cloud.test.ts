/** The emulators as `npm run emulators` starts them: real engines behind them, the product's own adapters in front. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { findAgent } from "@voice/shared/catalog/catalog";
import { partsOf } from "@voice/shared/config/parts";
import { loadSettings } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { createTokenVerifier, keysOutage } from "@voice/shared/auth/token-verifier";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import { verifyClient } from "@voice/shared/auth/verify-client";
import { emulatedIdentity } from "@voice/local/emulators/emulated-settings";
import { startEmulators } from "@voice/local/emulators/start-emulators";
import type { Emulators } from "@voice/local/emulators/start-emulators";
import {
  createAzureRecogniserFromSettings,
  createAzureSynthesiserFromSettings,
} from "@voice/streaming-host/providers/azure/from-settings";
import { createOpenAiFromSettings } from "@voice/streaming-host/providers/openai/from-settings";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { ModelEvent, ModelTool } from "@voice/provider-kit/ports/language-model";
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { createVoiceLiveFromSettings } from "@voice/streaming-host/providers/voice-live/from-settings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { servicesSpeech } from "../support/speech-engines.ts";
import { z } from "zod";
import { speak } from "@voice/provider-kit/contracts/synthesiser.contract";

const parts = {
  tokens: () => () => Promise.reject(new Error("the emulators take keys")),
  clock: systemClock,
  logger: silentLogger,
};
const neverAborted: AbortSignal = new AbortController().signal;
let catalog: Catalog;
let emulators: Emulators;
let settings: Settings;
let speech: { readonly recogniser: Recogniser; readonly synthesiser: Synthesiser };

beforeAll(async () => {
  catalog = await builtInCatalog();
  emulators = await startEmulators({ catalog, logger: silentLogger, localSpeech: servicesSpeech });
  settings = loadSettings(emulators.settings);
  const part = partsOf(settings).recognition;
  if (part.kind !== "azure") throw new Error("the settings name no speech service");
  speech = {
    recogniser: createAzureRecogniserFromSettings(part.location, settings, parts),
    synthesiser: createAzureSynthesiserFromSettings(part.location, settings, parts),
  };
});

afterAll(async () => {
  await Promise.all([speech.recogniser.close(), speech.synthesiser.close()]);
  await emulators.close();
});

/** What the agent would be told and may call. */
function frontDesk(): { readonly instructions: string; readonly tools: readonly ModelTool[] } {
  const agent = findAgent(catalog, "front-desk");
  const tools = (agent?.tools ?? []).map((name) => ({ name, description: name, parameters: { type: "object" } }));
  return { instructions: (agent?.prompt ?? "").replaceAll(/\{\{.*?\}\}/g, "Harbor Bank"), tools };
}

it("answers a chat as the agent whose prompt it is", async () => {
  const part = partsOf(settings).languageModel;
  if (part.kind !== "openai") throw new Error("the settings name no language model");
  const model = createOpenAiFromSettings(part, settings, parts);
  const { instructions, tools } = frontDesk();
  const events: ModelEvent[] = [];
  const request = {
    agent: { name: "not-on-the-wire", templateVars: {} },
    messages: [
      { role: "system" as const, content: instructions },
      { role: "user" as const, content: "I want to check my balance" },
    ],
    tools,
    settings: { deploymentId: "emulated" },
    memory: {},
  };
  for await (const event of model.stream(request, neverAborted)) events.push(event);
  expect(events.length).toBeGreaterThan(1);
  expect(events.at(-1)).toMatchObject({ type: "finished" });
});

it("holds a spoken turn with Voice Live: a voice is understood, and answered with a voice", async () => {
  const part = partsOf(settings).realtimeModel;
  if (part.kind !== "voice-live") throw new Error("the settings name no realtime model");
  const model = createVoiceLiveFromSettings(part, settings, parts);
  const { samples } = await speak(speech.synthesiser, "I want to check my balance", { sampleRateHz: 24_000 });
  const events: RealtimeEvent[] = [];
  const ended: VoiceError[] = [];
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
    { onEvent: (event) => events.push(event), onEnded: (error) => ended.push(error) },
    neverAborted,
  );
  session.appendAudio(samples);
  session.appendAudio(new Int16Array(24_000));
  await expect.poll(() => events.map(({ type }) => type)).toContain("response-finished");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "user-transcript", text: "i want to check my balance", isFinal: true }),
  );
  const answered = events.some(({ type }) => type === "audio" || type === "tool-call");
  expect(answered).toBe(true);
  expect(events.filter(({ type }) => type === "unknown" || type === "error")).toEqual([]);
  session.close();
  expect(ended).toEqual([]);
});

it("keeps as many speech clients warm as the settings say", async () => {
  const { maxSttPoolSize, maxTtsPoolSize } = settings;
  await expect.poll(() => speech.recogniser.pool().warmSize).toBe(maxSttPoolSize);
  await expect.poll(() => speech.synthesiser.pool().warmSize).toBeGreaterThanOrEqual(maxTtsPoolSize);
});

it("recognises a voice that it synthesised itself", async () => {
  const { samples } = await speak(speech.synthesiser, "my card was stolen");
  const finals: string[] = [];
  const { sttLanguage: language, vadSilenceTimeoutMs: segmentationSilenceMs } = settings;
  const hints = { examples: [], phrases: [] };
  const stream = await speech.recogniser.open(
    { sampleRateHz: 16_000, language, candidateLanguages: [language], segmentationSilenceMs, hints },
    {
      onPartial: () => undefined,
      onFinal: ({ text }) => finals.push(text),
      onError: (error) => expect.unreachable(error.message),
    },
    neverAborted,
  );
  stream.write(samples);
  stream.flush();
  await expect.poll(() => finals).toEqual(["my card was stolen"]);
  stream.close();
});

it("gives out a token that the service accepts with the settings that are printed", async () => {
  const { url, form } = emulators.tokenRequest;
  const answer = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await answer.json());
  const signedIn = loadSettings({ ...emulators.settings, ENABLE_AUTH_VALIDATION: "true" });
  const verifier = createTokenVerifier(createOutageLog(silentLogger, keysOutage));
  expect(await verifyClient(token, signedIn, verifier)).toMatchObject({ subject: emulatedIdentity.clientId });
  await expect(verifyClient("another", signedIn, verifier)).rejects.toMatchObject({ code: "unauthorized" });
});
