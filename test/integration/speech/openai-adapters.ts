/** What the adapters of OpenAI's protocol are given in these tests. */
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { VoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { patientMs } from "./patience.ts";

export const adapterAt = ({ baseUrl: endpoint }: OpenAiEmulator) => ({
  endpoint,
  credential: { kind: "none" as const },
  retry: { maxAttempts: 1, backoffFactor: 1, jitter: false },
  requestTimeoutMs: patientMs,
  clock: systemClock,
  logger: silentLogger,
});

/** Whatever is loud is speech: a hum is no voice to a real detector. */
export const createLoudnessDetector = (): VoiceActivityDetector => ({
  isSpeech: (frame) => frame.some((sample) => Math.abs(sample) > 500),
  close: () => undefined,
});
