/**
 * The OpenAI speech adapters keep the promises of the ports, over real HTTP. The service behind them knows what was said by
 * how long it took, and hums: what real engines make of it is heard in `test/speech/composed-cloud.test.ts`.
 */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { startRealtimeEmulator, type RealtimeEmulator } from "@voice/local/emulators/openai-realtime/emulator";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { createOpenAiRecogniser } from "@voice/streaming-host/providers/openai/speech/recogniser";
import { createReadingDialect } from "@voice/streaming-host/providers/openai/realtime/dialect";
import { createOpenAiRealtimeModel } from "@voice/streaming-host/providers/openai/realtime/realtime-model";
import { RealtimeSynthesiser } from "@voice/streaming-host/providers/openai/realtime/realtime-synthesiser";
import { createOpenAiSynthesiserFromSettings } from "@voice/streaming-host/providers/openai/speech/from-settings";
import { createOpenAiSynthesiser } from "@voice/streaming-host/providers/openai/speech/synthesiser";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSettings } from "@voice/shared/config/load";
import { afterAll, beforeAll, expect, it } from "vitest";
import { heard, recogniserContract } from "@voice/provider-kit/contracts/recogniser.contract";
import { speak, synthesiserContract } from "@voice/provider-kit/contracts/synthesiser.contract";
import { createDurationRecogniser } from "../../fakes/duration-recogniser.ts";
import { spokenLine } from "../../support/speech-engines.ts";
import { patientMs } from "./patience.ts";

const sentences = ["I want to check my balance", "my card was stolen"] as const;
const key = "the-key";
let emulator: OpenAiEmulator;
let realtime: RealtimeEmulator;
let createDetector: CreateVoiceActivityDetector;
const spoken = new Map<string, Int16Array>();

const adapterOptions = () => ({
  endpoint: emulator.baseUrl,
  credential: { kind: "bearer" as const, key },
  retry: { maxAttempts: 1, backoffFactor: 2, jitter: true },
  requestTimeoutMs: patientMs,
  clock: systemClock,
  logger: silentLogger,
});

beforeAll(async () => {
  for (const text of sentences) spoken.set(text, await spokenLine({ text, voice: "slt", sampleRateHz: 16_000 }));
  createDetector = await loadVoiceActivity();
  const recogniser = createDurationRecogniser(new Map([...spoken].map(([text, samples]) => [heard(text), samples])));
  realtime = await startRealtimeEmulator({
    key,
    recogniser,
    synthesiser: createToneSynthesiser({ followsRate: true }),
    respond: () => Promise.resolve({ kind: "completion", text: "This is no text that anybody gave." }),
  });
  emulator = await startOpenAiEmulator({
    key,
    audio: { recogniser, synthesiser: createToneSynthesiser({ followsRate: true }) },
  });
});

afterAll(() => Promise.all([emulator.close(), realtime.close()]));

recogniserContract({
  name: "OpenAI",
  create: () =>
    Promise.resolve(createOpenAiRecogniser({ ...adapterOptions(), model: "gpt-transcribe", createDetector })),
  speak: (text) => Promise.resolve(spoken.get(text) ?? new Int16Array(0)),
  sentences,
});

const reading = createReadingDialect("gpt-realtime-2.1");

synthesiserContract({
  name: "OpenAI's realtime model",
  create: async () =>
    new RealtimeSynthesiser({
      model: createOpenAiRealtimeModel({
        ...adapterOptions(),
        baseUrl: realtime.baseUrl,
        model: "gpt-realtime-2.1",
        credential: { kind: "key", key },
        dialect: reading,
      }),
      address: new URL(realtime.baseUrl),
      requestTimeoutMs: patientMs,
      clock: systemClock,
      logger: silentLogger,
    }),
});

it("reads texts out outside of the conversation, over a connection that waits for the next one", async () => {
  const environment = { OPENAI_API_KEY: key, OPENAI_BASE_URL: realtime.baseUrl, OPENAI_TTS_MODEL: "gpt-realtime-2.1" };
  const settings = loadSettings(environment);
  const before = realtime.connections.length;
  const synthesiser = createOpenAiSynthesiserFromSettings(
    { baseUrl: realtime.baseUrl, model: "gpt-realtime-2.1" },
    settings,
    { clock: systemClock, logger: silentLogger },
  );
  await speak(synthesiser, "Good morning.");
  await speak(synthesiser, "What can I do for you?");
  expect(realtime.connections.length - before).toBe(1);
  expect(synthesiser.pool()).toMatchObject({ warmSize: 1, allocationsWarm: 1, allocationsCold: 1 });
  expect(realtime.received.at(-1)).toMatchObject({
    type: "response.create",
    response: { conversation: "none", input: [] },
  });
  await synthesiser.close();
});

synthesiserContract({
  name: "OpenAI",
  create: () =>
    Promise.resolve(createOpenAiSynthesiser({ ...adapterOptions(), model: "gpt-4o-mini-tts", rawRateHz: 24_000 })),
});
