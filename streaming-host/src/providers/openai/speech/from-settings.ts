/** Builds speech by OpenAI, or by a server that speaks its protocol, from the settings. */
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { defaultRealtimeModel, isNamed, isOpenAi, keyOf } from "@voice/shared/config/openai-servers";
import { retryOf } from "@voice/shared/config/retry-of";
import type { ServedModel } from "@voice/shared/config/openai-servers";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { VendorContext } from "../../vendor-context.ts";
import { createReadingDialect } from "../realtime/dialect.ts";
import { createOpenAiRealtimeModel } from "../realtime/realtime-model.ts";
import { RealtimeSynthesiser } from "../realtime/realtime-synthesiser.ts";
import { toCredential } from "../endpoint.ts";
import { createOpenAiRecogniser } from "./recogniser.ts";
import { withSuccessor } from "./successor.ts";
import { createOpenAiSynthesiser } from "./synthesiser.ts";

export function createOpenAiRecogniserFromSettings(
  { baseUrl: endpoint, model }: ServedModel,
  settings: Settings,
  { clock, logger }: Omit<VendorContext, "tokens">,
  createDetector: CreateVoiceActivityDetector,
): Recogniser {
  return createOpenAiRecogniser({
    endpoint,
    model,
    credential: toCredential(keyOf(settings, "recognition")),
    createDetector,
    // The session supervises its stream and reopens it; retrying here as well would multiply the attempts.
    retry: { maxAttempts: 0, backoffFactor: settings.retryBackoffFactor, jitter: settings.retryJitter },
    requestTimeoutMs: settings.speechRequestTimeoutMs,
    clock,
    logger,
  });
}

export function createOpenAiSynthesiserFromSettings(
  { baseUrl: endpoint, model }: ServedModel,
  settings: Settings,
  { clock, logger }: Omit<VendorContext, "tokens">,
): Synthesiser {
  if (isRealtimeModel(model)) return createReader(endpoint, model, settings, clock, logger);
  const speech = createOpenAiSynthesiser({
    endpoint,
    model,
    credential: toCredential(keyOf(settings, "synthesis")),
    voiceInstead: settings.openaiTtsVoice,
    rawRateHz: settings.openaiTtsRawRateHz,
    retry: retryOf(settings),
    requestTimeoutMs: settings.speechRequestTimeoutMs,
    clock,
    logger,
  });
  // A speech model that is named explicitly is always used.
  if (isNamed(settings, "synthesis") || !isOpenAi(endpoint)) return speech;
  const successor = {
    model: defaultRealtimeModel,
    create: () => createReader(endpoint, defaultRealtimeModel, settings, clock, logger),
  };
  return withSuccessor(speech, successor, logger);
}

const isRealtimeModel = (model: string): boolean => /\bgpt-realtime\b/.test(model);

function createReader(baseUrl: string, model: string, settings: Settings, clock: Clock, logger: Logger): Synthesiser {
  const { openaiTtsVoice: voiceInstead, speechRequestTimeoutMs: requestTimeoutMs } = settings;
  const key = keyOf(settings, "synthesis");
  const reads = createOpenAiRealtimeModel({
    baseUrl,
    model,
    credential: key === undefined ? { kind: "none" } : { kind: "key", key },
    dialect: createReadingDialect(model),
    retry: retryOf(settings),
    openTimeoutMs: settings.voiceLiveOpenTimeoutMs,
    clock,
    logger,
  });
  const address = new URL(baseUrl);
  return new RealtimeSynthesiser({ model: reads, address, voiceInstead, requestTimeoutMs, clock, logger });
}
