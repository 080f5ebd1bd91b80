/**
 * The OpenAI speech adapters keep the promises of the ports, over real HTTP. The service behind them knows what was said by
 * how long it took, and hums: what real engines make of it is heard in `test/speech/composed-cloud.test.ts`.
 */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { createOpenAiRecogniser } from "@voice/streaming-host/providers/openai/speech/recogniser";
import { createOpenAiSynthesiser } from "@voice/streaming-host/providers/openai/speech/synthesiser";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { afterAll, beforeAll } from "vitest";
import { heard, recogniserContract } from "@voice/provider-kit/contracts/recogniser.contract";
import { synthesiserContract } from "@voice/provider-kit/contracts/synthesiser.contract";
import { createDurationRecogniser } from "../../fakes/duration-recogniser.ts";
import { spokenLine } from "../../support/speech-engines.ts";

const sentences = ["I want to check my balance", "my card was stolen"] as const;
const key = "the-key";
let emulator: OpenAiEmulator;
let createDetector: CreateVoiceActivityDetector;
const spoken = new Map<string, Int16Array>();

const adapterOptions = () => ({
  endpoint: emulator.baseUrl,
  credential: { kind: "bearer" as const, key },
  retry: { maxAttempts: 1, backoffFactor: 2, jitter: true },
  requestTimeoutMs: 10_000,
  clock: systemClock,
  logger: silentLogger,
});

beforeAll(async () => {
  for (const text of sentences) spoken.set(text, await spokenLine({ text, voice: "slt", sampleRateHz: 16_000 }));
  createDetector = await loadVoiceActivity();
  const recogniser = createDurationRecogniser(new Map([...spoken].map(([text, samples]) => [heard(text), samples])));
  emulator = await startOpenAiEmulator({
    key,
    audio: { recogniser, synthesiser: createToneSynthesiser({ followsRate: true }) },
  });
});

afterAll(() => emulator.close());

recogniserContract({
  name: "OpenAI",
  create: () =>
    Promise.resolve(createOpenAiRecogniser({ ...adapterOptions(), model: "gpt-transcribe", createDetector })),
  speak: (text) => Promise.resolve(spoken.get(text) ?? new Int16Array(0)),
  sentences,
});

synthesiserContract({
  name: "OpenAI",
  create: () => Promise.resolve(createOpenAiSynthesiser({ ...adapterOptions(), model: "gpt-4o-mini-tts" })),
});
