/**
 * Speech to text by `/audio/transcriptions`, of OpenAI or of any server that speaks its protocol. The server
 * transcribes one segment of audio at a time, and our own detector decides where a segment begins and ends.
 */
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { isSampleRate } from "@voice/provider-kit/audio/resample";
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
import { TranscribedStream } from "./recognition-stream.ts";
import { createTranscriber, transcribedRateHz } from "./transcriber.ts";
import type { Transcriber } from "./transcriber.ts";

export interface OpenAiRecogniserOptions extends ModelAddress {
  readonly model: string;
  readonly createDetector: CreateVoiceActivityDetector;
  readonly retry: RetrySettings;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch?: typeof fetch;
}

export function createOpenAiRecogniser(options: OpenAiRecogniserOptions): Recogniser {
  const { model, createDetector, retry, requestTimeoutMs: timeoutMs, clock, logger } = options;
  const client = createClient(options, options);
  const upstream = createUpstream({ name: `speech recognition ${model}`, retry, logger });
  const transcriber = createTranscriber({ client, model, upstream, timeoutMs, clock, logger });
  const service = "speech recognition";
  const reach = (signal: AbortSignal): Promise<void> => requestModels(client, service, signal);
  const reachability = new Reachability({ service, reach, clock, logger });
  reachability.begin();
  const streams = new Set<TranscribedStream>();
  let opened = 0;
  let isClosed = false;

  return {
    sendsPieces: true,
    open(recognition, events, signal) {
      return new Promise((resolve) => {
        signal.throwIfAborted();
        if (isClosed) throw new VoiceError("dependency_not_ready", "the recogniser is closed");
        if (!isSampleRate(recognition.sampleRateHz))
          throw new VoiceError("audio_format_unsupported", "sample rate of the caller's audio");
        opened += 1;
        const onClosed = (): void => void streams.delete(stream);
        const counted: Transcriber = {
          transcribe(samples, ...rest) {
            events.onSent?.((samples.length * 1000) / transcribedRateHz);
            return transcriber.transcribe(samples, ...rest);
          },
        };
        const stream = new TranscribedStream({ recognition, transcriber: counted, createDetector, events, onClosed });
        streams.add(stream);
        resolve(stream);
      });
    },
    pool: () => ({
      ...emptyPool,
      ...figuresOf(upstream.health(), reachability.state),
      ready: !isClosed,
      activeSessions: streams.size,
      allocationsTotal: opened,
      allocationsCold: opened,
    }),
    close() {
      isClosed = true;
      reachability.close();
      for (const stream of streams) stream.close();
      return Promise.resolve();
    },
  };
}
