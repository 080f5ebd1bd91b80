/** A cascade session's dependencies for tests that need some but do not depend on which. */
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { Listener } from "../pipeline/listening/listener.ts";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { patientEstimator } from "./turn-rig.ts";
import type { VoiceSessionOptions } from "../session/modes/cascade/cascade-session-options.ts";

export const testRetry = { maxAttempts: 2, backoffFactor: 2, jitter: false };

export const testTurnSettings: VoiceSessionOptions["turnSettings"] = () => ({
  silenceMs: 500,
  estimator: patientEstimator,
  silenceTimeoutMs: 2000,
  bargeInEnabled: true,
  bargeInThresholdMs: 10,
  idleMs: 10_000,
  deadAirMs: 10_000,
  fillerMs: 2000,
});

/** The probe of a peer that can be reached. */
const answered = (onAnswered: () => void): void => onAnswered();

/** A real listener; `isSpeech` is its detector's result, and nothing is detected if it is absent. */
export function testListener(options: {
  readonly clock: Clock;
  readonly recogniser: Recogniser;
  readonly inputRateHz: number;
  readonly isSpeech?: () => boolean;
  readonly probe?: ((onAnswered: () => void) => void) | undefined;
}): VoiceSessionOptions["createListener"] {
  const { clock, recogniser, inputRateHz, isSpeech = () => false, probe = answered } = options;
  return (hints, events) =>
    new Listener(
      {
        inputRateHz,
        recogniser,
        createVoiceActivityDetector: () => ({ isSpeech, close: () => undefined }),
        sensitivity: "medium",
        language: "en-US",
        candidateLanguages: [],
        segmentationSilenceMs: 500,
        hints,
        retry: testRetry,
        clock,
        logger: silentLogger,
        random: () => 0.5,
        probe,
      },
      events,
    );
}
