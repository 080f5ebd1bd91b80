/** The Azure adapters keep the same promises as the local engines: those recognise and speak behind the emulated service. */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { startSpeechEmulator } from "@voice/local/emulators/speech/emulator";
import type { SpeechEmulator } from "@voice/local/emulators/speech/emulator";
import { withExamples } from "@voice/local/emulators/with-examples";
import { createAzureRecogniser } from "@voice/streaming-host/providers/azure/recogniser";
import { createAzureSynthesiser } from "@voice/streaming-host/providers/azure/synthesiser";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { PoolFigures, Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { silenceMs, recogniserContract } from "@voice/provider-kit/contracts/recogniser.contract";
import { speak, synthesiserContract } from "@voice/provider-kit/contracts/synthesiser.contract";
import { longestWaitMs } from "../../support/wait.ts";
import { speechKey } from "./harness.ts";
import { patientMs } from "./patience.ts";

const sentences = ["I want to check my balance", "my card was stolen"] as const;
let emulator: SpeechEmulator;
let engines: { readonly recogniser: Recogniser; readonly synthesiser: Synthesiser };

const adapterOptions = () => ({
  endpoint: {
    location: { kind: "host" as const, url: emulator.endpoint },
    credential: { kind: "key" as const, key: speechKey },
  },
  retry: { maxAttempts: 1, backoffFactor: 2, jitter: true },
  connectTimeoutMs: patientMs,
  clock: systemClock,
  logger: silentLogger,
});

async function warmedUp<Provider extends { pool(): PoolFigures }>(provider: Provider): Promise<Provider> {
  await vi.waitFor(() => expect(provider.pool().ready).toBe(true), { timeout: longestWaitMs }); // within a hook, too
  return provider;
}

beforeAll(async () => {
  const [recogniser, synthesiser] = await Promise.all([createLocalRecogniser(), createLocalSynthesiser()]);
  engines = { recogniser, synthesiser };
  emulator = await startSpeechEmulator({
    recogniser: withExamples(recogniser, () => sentences),
    synthesiser,
    key: speechKey,
  });
});

afterAll(async () => {
  await emulator.close();
  await Promise.all([engines.recogniser.close(), engines.synthesiser.close()]);
});

recogniserContract({
  name: "Azure Speech",
  create: () =>
    warmedUp(
      createAzureRecogniser({
        ...adapterOptions(),
        warm: {
          size: 2,
          profile: {
            sampleRateHz: 16_000,
            language: "en-US",
            candidateLanguages: [],
            segmentationSilenceMs: silenceMs,
          },
        },
      }),
    ),
  speak: async (text) => (await speak(engines.synthesiser, text)).samples,
  sentences,
});

synthesiserContract({
  name: "Azure Speech",
  create: () =>
    warmedUp(
      createAzureSynthesiser({
        ...adapterOptions(),
        warm: { size: 2, sampleRateHz: 16_000 },
        requestTimeoutMs: patientMs,
      }),
    ),
});
