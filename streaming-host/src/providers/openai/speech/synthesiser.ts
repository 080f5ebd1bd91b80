/**
 * Text to speech by `/audio/speech`, of OpenAI or of any server that speaks its protocol. It reports no word timings.
 */
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { isOpenAi } from "@voice/shared/config/openai-servers";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import { APIError } from "openai";
import { RefusedVoices } from "../../refused-voices.ts";
import { createClient } from "../client.ts";
import type { ModelAddress } from "../client.ts";
import { toUpstreamError } from "../errors.ts";
import { Reachability } from "./reachability.ts";
import { toSpeechParams } from "./speech-params.ts";
import { service, speak } from "./utterance.ts";
import { standInFor, voiceNameOf } from "./voices.ts";

export interface OpenAiSynthesiserOptions extends ModelAddress {
  readonly model: string;
  /** Used in place of the voices that the server does not have. */
  readonly voiceInstead?: string | undefined;
  readonly retry: RetrySettings;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch?: typeof fetch;
}

/** The statuses with which a server refuses a voice: one that it does not know, or somebody else's. */
const refusals = new Set([400, 403, 404, 422]);

export function createOpenAiSynthesiser(options: OpenAiSynthesiserOptions): Synthesiser {
  const { endpoint, model, voiceInstead: instead, retry, requestTimeoutMs: timeoutMs, clock, logger } = options;
  const client = createClient(options, options);
  const upstream = createUpstream({ name: `speech synthesis ${model}`, retry, logger });
  const reachability = new Reachability({ service, client, upstream, clock, logger });
  const choice = { isOpenAi: isOpenAi(endpoint), instead };
  const refusedVoices = new RefusedVoices();
  let requests = 0;
  let running = 0;
  let isClosed = false;

  async function open(request: SynthesisRequest, signal: AbortSignal): Promise<Response> {
    const { voice } = request;
    const another = instead ?? standInFor(voice.name);
    const name = refusedVoices.has(voice) ? another : voiceNameOf(voice.name, choice);
    const openAs = (spoken: string): Promise<Response> => {
      const params = toSpeechParams(request, model, spoken);
      return client.audio.speech.create(params, { signal, timeout: timeoutMs }).asResponse();
    };
    try {
      return await openAs(name);
    } catch (error) {
      signal.throwIfAborted();
      const status = error instanceof APIError ? error.status : undefined;
      if (!refusals.has(status ?? 0) || name === another) throw toFailure(error, another);
      logger.warn({ voice: name, status }, "a voice was refused, another one speaks");
    }
    try {
      const response = await openAs(another);
      // Where the other one is refused, too, it was not the voice: a text, or a server without its model.
      refusedVoices.add(voice);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error, another);
    }
  }

  /** A stand-in that the server does not have either says nothing of the server, unless the settings name it. */
  function toFailure(error: unknown, another: string): VoiceError {
    const failure = toUpstreamError(error, service);
    const isOfVoice = error instanceof APIError && (error.param === "voice" || /\bvoice\b/i.test(error.message));
    if (another === instead || !isOfVoice || !(failure instanceof UpstreamAccessError)) return failure;
    const { message, reason } = failure;
    return new VoiceError("upstream_unavailable", message, { retryable: false, reason });
  }

  async function synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    const { sampleRateHz } = request;
    const utterance = {
      open: (attempt: AbortSignal) => open(request, attempt),
      sampleRateHz,
      events,
      timeoutMs,
      clock,
    };
    const broken = await upstream.run((attempt) => speak(utterance, attempt), signal);
    if (broken !== undefined) throw broken;
  }

  return {
    async synthesise(request, events, signal) {
      signal.throwIfAborted();
      if (isClosed) throw new VoiceError("dependency_not_ready", "the synthesiser is closed");
      if (!isSampleRate(request.sampleRateHz))
        throw new VoiceError("audio_format_unsupported", "sample rate of the agent's audio");
      if (!/[\p{L}\p{N}]/u.test(request.text)) return;
      requests += 1;
      running += 1;
      try {
        await synthesise(request, events, signal);
      } finally {
        running -= 1;
      }
    },
    pool: () => ({
      ...emptyPool,
      ...reachability.problem,
      ready: !isClosed,
      activeSessions: running,
      allocationsTotal: requests,
      allocationsCold: requests,
    }),
    close() {
      isClosed = true;
      reachability.close();
      return Promise.resolve();
    },
  };
}
