/** Text to speech by Azure: connected synthesisers that are reused from request to request. */
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { RefusedVoices } from "../refused-voices.ts";
import type { SpeechEndpoint } from "./speech-endpoint.ts";
import { SpeechRequestRefusedError } from "./speech-errors.ts";
import { SynthesisClient, isSynthesisRate } from "./synthesis-client.ts";
import type { SynthesisRateHz } from "./synthesis-client.ts";
import { speak } from "./utterance.ts";
import { silentConnectionMs } from "../silent-connection.ts";
import { VoicePools } from "./voice-pools.ts";
import type { WarmPool } from "./warm-pool.ts";

export type AzureSynthesiserOptions = {
  readonly endpoint: SpeechEndpoint;
  /** The rate that most sessions use; clients for other rates are retained once they exist, but not connected ahead of time. */
  readonly warm: { readonly size: number; readonly sampleRateHz: SynthesisRateHz };
  /** Used if the service rejects the voice that a request names. */
  readonly fallbackVoiceName?: string | undefined;
  readonly retry: RetrySettings;
  /** SPEECH_REQUEST_TIMEOUT: the longest wait for the next piece of speech. */
  readonly requestTimeoutMs: number;
  readonly connectTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

const defaultConnectTimeoutMs = 5_000;
/** The service drops a connection without requests after a few minutes. */
const maxIdleMs = 90_000;

export function createAzureSynthesiser(options: AzureSynthesiserOptions): Synthesiser {
  const { endpoint, warm, retry, clock, logger, fallbackVoiceName, requestTimeoutMs } = options;
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const refusedVoices = new RefusedVoices();
  const pools = new VoicePools({
    warm,
    connect: (voice, signal) =>
      SynthesisClient.connect({ ...voice, endpoint, connectTimeoutMs, clock, logger }, signal),
    maxIdleMs,
    retry,
    clock,
    logger,
  });

  async function synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    const { sampleRateHz } = request;
    if (!isSynthesisRate(sampleRateHz)) {
      throw new VoiceError("audio_format_unsupported", `the speech service has no raw format at ${sampleRateHz} Hz`);
    }
    const { endpointId } = request.voice;
    const broken = await pools.use({ sampleRateHz, endpointId }, ({ pool, upstream }) =>
      upstream.run((attemptSignal) => speakOn(pool, request, events, attemptSignal), signal),
    );
    if (broken !== undefined) throw broken;
  }

  /** FAIL-8: repeats the request on a new connection if a reused one does not respond. */
  async function speakOn(
    pool: WarmPool<SynthesisClient>,
    request: SynthesisRequest,
    events: SynthesisEvents,
    signal: AbortSignal,
  ): Promise<Error | undefined> {
    const utterance = { request, events, timeoutMs: requestTimeoutMs, clock };
    const lease = await pool.lease(signal);
    if (!lease.wasKept) return speak(lease, { ...utterance, firstAudioMs: requestTimeoutMs }, signal);
    const firstAudioMs = Math.min(silentConnectionMs, requestTimeoutMs);
    try {
      return await speak(lease, { ...utterance, firstAudioMs }, signal);
    } catch (error) {
      if (!(error instanceof VoiceError) || error.code !== "upstream_timeout") throw error;
      logger.warn({ firstAudioMs }, "a kept connection to the speech service is silent, a new one is used");
    }
    pool.replaceIdle();
    return speak(await pool.lease(signal), { ...utterance, firstAudioMs: requestTimeoutMs }, signal);
  }

  function withFallbackVoice(request: SynthesisRequest): SynthesisRequest | undefined {
    if (fallbackVoiceName === undefined || request.voice.name === fallbackVoiceName) return undefined;
    // A style and a deployment belong to their voice; rate and pitch apply to every voice.
    const { rate, pitch } = request.voice;
    return { ...request, voice: { name: fallbackVoiceName, rate, pitch } };
  }

  return {
    async synthesise(request, events, signal) {
      signal.throwIfAborted();
      if (request.text.trim() === "") return;
      const fallback = withFallbackVoice(request);
      if (fallback !== undefined && refusedVoices.has(request.voice)) return await synthesise(fallback, events, signal);
      try {
        await synthesise(request, events, signal);
      } catch (error) {
        if (fallback === undefined || !(error instanceof SpeechRequestRefusedError)) throw error;
        logger.warn({ voice: request.voice.name, fallbackVoiceName }, "a voice was refused, the fallback voice speaks");
        await synthesise(fallback, events, signal);
        refusedVoices.add(request.voice);
      }
    },
    pool: () => pools.figures(),
    close: () => pools.close(),
  };
}
