/**
 * Text to speech by `/audio/speech`, of OpenAI or of any server that speaks its protocol. It reports no word timings.
 */
import { UnreadableAudioError } from "@voice/provider-kit/speech-answer/audio-reader";
import { TextInsteadOfAudioError } from "@voice/provider-kit/speech-answer/text-audio-reader";
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { isOpenAi } from "@voice/shared/config/openai-servers";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import { createClient } from "../client.ts";
import type { ModelAddress } from "../client.ts";
import { Reachability } from "../../reachability.ts";
import { requestModels } from "../request-models.ts";
import { figuresOf } from "./reached-pool.ts";
import { createSpeechOpener } from "./open-speech.ts";
import { ResponseFormats } from "./response-formats.ts";
import type { ResponseFormat } from "./response-formats.ts";
import { service, speak } from "./utterance.ts";

export interface OpenAiSynthesiserOptions extends ModelAddress {
  readonly model: string;
  /** Used in place of voices that the server does not have. */
  readonly voiceInstead?: string | undefined;
  /** For samples whose rate the server does not declare. */
  readonly rawRateHz: number;
  readonly retry: RetrySettings;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch?: typeof fetch;
}

type SpeakAs = (format: ResponseFormat, signal: AbortSignal) => ReturnType<typeof speak>;

export function createOpenAiSynthesiser(options: OpenAiSynthesiserOptions): Synthesiser {
  const { endpoint, model, voiceInstead: instead, rawRateHz, requestTimeoutMs: timeoutMs, clock, logger } = options;
  const client = createClient(options, options);
  const upstream = createUpstream({ name: `speech synthesis ${model}`, retry: options.retry, logger });
  const reach = (signal: AbortSignal): Promise<void> => requestModels(client, service, signal);
  const reachability = new Reachability({ service, reach, clock, logger });
  reachability.begin();
  const formats = new ResponseFormats(logger);
  const choice = { isOpenAi: isOpenAi(endpoint), instead };
  const open = createSpeechOpener({ client, model, choice, formats, logger });
  let requests = 0;
  let running = 0;
  let isClosed = false;

  async function synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    const { sampleRateHz } = request;
    const speakAs: SpeakAs = (format, attempt) =>
      speak(
        {
          open: (opening) => open(request, { timeoutMs, format }, opening),
          sampleRateHz,
          rawRateHz,
          events,
          timeoutMs,
          clock,
        },
        attempt,
      );
    const broken = await upstream.run((attempt) => speakInReadableFormat(speakAs, attempt), signal);
    if (broken !== undefined) throw broken;
  }

  /**
   * Some servers send the same format whatever is requested: then nothing is learnt from the second attempt. Nor if the response to the
   * first was text, which may have had any reason.
   */
  async function speakInReadableFormat(speakAs: SpeakAs, signal: AbortSignal): ReturnType<SpeakAs> {
    const asked = formats.current;
    try {
      return await speakAs(asked, signal);
    } catch (error) {
      const isUnreadable = error instanceof UnreadableAudioError;
      if (asked === "wav" || !(isUnreadable || error instanceof TextInsteadOfAudioError)) throw error;
      const broken = await speakAs("wav", signal);
      if (isUnreadable) formats.learn("wav", error.message);
      return broken;
    }
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
      ...figuresOf(upstream.health(), reachability.state),
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
