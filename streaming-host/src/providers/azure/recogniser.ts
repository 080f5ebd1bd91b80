/** Speech to text by Azure: a pool of connected recognisers, each of which serves one stream. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type {
  RecognitionEvents,
  RecognitionOptions,
  RecognitionStream,
  Recogniser,
} from "@voice/provider-kit/ports/recogniser";
import { CallerTimeline } from "./caller-timeline.ts";
import { RecognitionClient } from "./recognition-client.ts";
import type { RecognitionModel, RecognitionProfile } from "./recognition-client.ts";
import type { SpeechEndpoint } from "./speech-endpoint.ts";
import { WarmPool } from "./warm-pool.ts";
import type { Lease } from "./warm-pool.ts";

export type AzureRecogniserOptions = {
  readonly endpoint: SpeechEndpoint;
  /** The profile of most sessions; only its recognisers are connected ahead of time. */
  readonly warm: { readonly size: number; readonly profile: RecognitionProfile };
  readonly model?: RecognitionModel;
  readonly retry: RetrySettings;
  readonly connectTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

const defaultConnectTimeoutMs = 5_000;
/** The service drops a connection without audio after a few minutes. */
const maxIdleMs = 90_000;
/** More than the segmentation needs, because the service's timing is not exact to the millisecond. */
const flushMarginMs = 200;

export function createAzureRecogniser(options: AzureRecogniserOptions): Recogniser {
  const { endpoint, warm, retry, clock, logger, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const model = options.model ?? { segmentation: "silence" };
  const upstream = createUpstream({ name: "speech recognition", retry, logger });

  const connect = (profile: RecognitionProfile, signal: AbortSignal): Promise<RecognitionClient> =>
    RecognitionClient.connect({ endpoint, profile, model, connectTimeoutMs, clock, logger }, signal);
  const pool = new WarmPool({
    name: "recognisers",
    target: warm.size,
    isRecycled: false,
    connect: (signal) => connect(warm.profile, signal),
    maxIdleMs,
    clock,
    logger,
  });
  const warmKey = toKey(warm.profile);

  return {
    async open(
      request: RecognitionOptions,
      events: RecognitionEvents,
      signal: AbortSignal,
    ): Promise<RecognitionStream> {
      const { hints, connectsAnew = false, ...usual } = request;
      const profile = { ...usual, language: hints.language ?? usual.language };
      const lease = await upstream.run(
        (attemptSignal) =>
          toKey(profile) === warmKey && !connectsAnew
            ? pool.lease(attemptSignal)
            : pool.leaseUnlike((connectSignal) => connect(profile, connectSignal), attemptSignal),
        signal,
        (unwanted) => unwanted.release("discard"),
      );
      lease.client.setPhrases(hints.phrases);
      return startStream(lease, request, events);
    },
    pool: () => pool.figures(),
    close: () => pool.close(),
  };
}

/** Sessions whose options differ only in notation share the warm clients. */
function toKey({ sampleRateHz, language, candidateLanguages, segmentationSilenceMs }: RecognitionProfile): string {
  const languages = [...new Set([language, ...candidateLanguages])];
  return JSON.stringify([sampleRateHz, languages, segmentationSilenceMs]);
}

function startStream(
  lease: Lease<RecognitionClient>,
  { sampleRateHz, segmentationSilenceMs, hints, language, candidateLanguages }: RecognitionOptions,
  events: RecognitionEvents,
): RecognitionStream {
  const { client } = lease;
  const timeline = new CallerTimeline();
  const first = hints.language ?? language;
  /** The languages that the stream tells apart; none if there is only one. */
  const languages = candidateLanguages.length === 0 ? [] : [first, ...candidateLanguages];
  let isOpen = true;
  const end = (): void => {
    isOpen = false;
    lease.release("discard");
  };
  client.start({
    onPartial: ({ startMs, endMs, ...said }) => {
      if (!isOpen) return;
      events.onPartial({ ...said, startMs: timeline.toCallerMs(startMs), endMs: timeline.toCallerMs(endMs) });
    },
    onFinal: ({ startMs, endMs, ...said }) => {
      if (!isOpen) return;
      events.onFinal({ ...said, startMs: timeline.toCallerMs(startMs), endMs: timeline.toCallerMs(endMs) });
    },
    onError: (error) => {
      if (!isOpen) return;
      end();
      events.onError(error);
    },
  });
  return {
    write: (samples) => {
      if (!isOpen) return;
      timeline.wrote((samples.length / sampleRateHz) * 1000);
      client.write(samples.slice().buffer);
    },
    flush: () => {
      if (!isOpen) return;
      // The protocol has no command to end a segment; sending enough silence at once does.
      const silenceMs = segmentationSilenceMs + flushMarginMs;
      timeline.addedSilence(silenceMs);
      client.write(new Int16Array(Math.round((sampleRateHz * silenceMs) / 1000)).buffer);
    },
    // A stream has one language, or tells those apart that it was opened with, and the protocol takes phrases only at the beginning of
    // a turn, which may last for the whole call.
    setHints: (next) =>
      (next.language === hints.language || languages.includes(next.language ?? first)) &&
      isDeepStrictEqual(next.phrases, hints.phrases),
    close: () => {
      if (isOpen) end();
    },
  };
}
