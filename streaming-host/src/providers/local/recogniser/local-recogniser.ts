/**
 * The recogniser that needs no account: it knows the sentences that the agents' examples are made of, numbers, dates and
 * the words that steer a conversation, and rejects the rest. Streams are spread over worker threads.
 */
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { isSampleRate } from "../../../audio/resample.ts";
import type { Recogniser, RecognitionEvents, RecognitionStream } from "../../ports/recogniser.ts";
import { compileFlite } from "../synthesiser/compile-flite.ts";
import { superviseWorker } from "../supervised-worker.ts";
import type { SupervisedWorker } from "../supervised-worker.ts";
import type { FromRecognitionWorker, RecognitionWorkerData, ToRecognitionWorker } from "./recognition-protocol.ts";

export interface LocalRecogniserOptions {
  readonly workers?: number;
  /** Decoders that wait for callers, over all threads; 25 MB each. */
  readonly warmDecoders?: number;
  /** Callers who can speak at the same time, over all threads; one more waits for a decoder and is answered later. */
  readonly maxDecoders?: number;
  /** Where a bundled host keeps `recognition-worker`. */
  readonly workerUrl?: URL;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Audio that a thread may be behind with before a stream is given up: nobody waits longer for an answer. */
const MAX_BEHIND_MS = 30_000;

interface OpenStream {
  readonly thread: Thread;
  readonly sampleRateHz: number;
  readonly language: string;
  readonly events: RecognitionEvents;
  behindSamples: number;
  opened: (() => void) | undefined;
  failed: (error: VoiceError) => void;
}

interface Thread {
  readonly worker: SupervisedWorker<ToRecognitionWorker>;
  ready: boolean;
  streams: number;
}

export async function createLocalRecogniser(options: LocalRecogniserOptions = {}): Promise<Recogniser> {
  const { workers = 1, warmDecoders = 2, maxDecoders = 8, clock = systemClock, logger = silentLogger } = options;
  const url = options.workerUrl ?? new URL("./recognition-worker.ts", import.meta.url);
  const workerData: RecognitionWorkerData = {
    flite: await compileFlite(),
    warmDecoders: Math.ceil(warmDecoders / workers),
    maxDecoders: Math.ceil(maxDecoders / workers),
  };

  const threads: Thread[] = [];
  const streams = new Map<number, OpenStream>();
  const figures = { allocationsTotal: 0, allocationsWarm: 0, warmupCycles: 0, warmupFailures: 0 };
  let nextStream = 1;
  let closing: Promise<void> | undefined;

  const drop = (id: number): OpenStream | undefined => {
    const stream = streams.get(id);
    if (stream === undefined) return undefined;
    streams.delete(id);
    stream.thread.streams -= 1;
    stream.thread.worker.post({ type: "close", stream: id });
    return stream;
  };

  const hear = (message: FromRecognitionWorker): void => {
    const stream = streams.get(message.stream);
    if (stream === undefined) return;
    switch (message.type) {
      case "opened":
        stream.opened?.();
        stream.opened = undefined;
        return;
      case "heard":
        stream.behindSamples -= message.samples;
        return;
      case "partial":
      case "final": {
        const { text, startMs, endMs } = message;
        const recognised = { text, startMs, endMs, language: stream.language };
        if (message.type === "partial") stream.events.onPartial(recognised);
        else stream.events.onFinal(recognised);
        return;
      }
      case "failed":
        drop(message.stream)?.failed(
          new VoiceError("upstream_unavailable", `local recognition failed: ${message.reason}`),
        );
    }
  };

  const dropAll = (thread: Thread): void => {
    const dead = [...streams].filter(([, stream]) => stream.thread === thread);
    for (const [id] of dead)
      drop(id)?.failed(new VoiceError("upstream_unavailable", "the local recogniser's thread died"));
  };

  await new Promise<void>((resolve, reject) => {
    for (let index = 0; index < workers; index++) {
      const thread: Thread = {
        ready: false,
        streams: 0,
        worker: superviseWorker<ToRecognitionWorker, FromRecognitionWorker>({
          url,
          workerData,
          clock,
          logger,
          onReady() {
            thread.ready = true;
            figures.warmupCycles += 1;
            if (threads.length === workers && threads.every(({ ready }) => ready)) resolve();
          },
          onMessage: hear,
          onDown(wasReady) {
            thread.ready = false;
            dropAll(thread);
            if (wasReady) return;
            figures.warmupFailures += 1;
            reject(new VoiceError("dependency_not_ready", "the local recogniser does not start"));
          },
        }),
      };
      threads.push(thread);
    }
  }).catch(async (error: unknown) => {
    await Promise.all(threads.map(({ worker }) => worker.close()));
    throw error;
  });

  const leastBusy = (): Thread | undefined =>
    threads.filter(({ ready }) => ready).toSorted((a, b) => a.streams - b.streams)[0];

  return {
    open({ sampleRateHz, language, segmentationSilenceMs, hints }, events, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (closing !== undefined) return Promise.reject(new VoiceError("dependency_not_ready", "recogniser is closed"));
      if (!isSampleRate(sampleRateHz))
        return Promise.reject(new VoiceError("audio_format_unsupported", "sample rate of the caller's audio"));
      const thread = leastBusy();
      if (thread === undefined)
        return Promise.reject(new VoiceError("dependency_not_ready", "the local recogniser is starting"));

      const id = nextStream;
      nextStream += 1;
      figures.allocationsTotal += 1;
      if (streams.size < warmDecoders) figures.allocationsWarm += 1;
      thread.streams += 1;

      return new Promise((resolve, reject) => {
        const abort = (): void => {
          drop(id);
          reject(signal.reason);
        };
        signal.addEventListener("abort", abort, { once: true });
        const stream: OpenStream = {
          thread,
          sampleRateHz,
          language,
          events,
          behindSamples: 0,
          opened() {
            signal.removeEventListener("abort", abort);
            stream.failed = (error) => events.onError(error);
            resolve(recognitionStream(id, stream));
          },
          failed(error) {
            signal.removeEventListener("abort", abort);
            reject(error);
          },
        };
        streams.set(id, stream);
        thread.worker.post({ type: "open", stream: id, sampleRateHz, segmentationSilenceMs, hints });
      });
    },
    pool: () => ({
      ready: closing === undefined && threads.some(({ ready }) => ready),
      warmSize: Math.max(0, warmDecoders - streams.size),
      warmTarget: warmDecoders,
      activeSessions: streams.size,
      ...figures,
      allocationsCold: figures.allocationsTotal - figures.allocationsWarm,
    }),
    close() {
      closing ??= (async () => {
        for (const id of streams.keys())
          drop(id)?.failed(new VoiceError("dependency_not_ready", "recogniser is closed"));
        await Promise.all(threads.map(({ worker }) => worker.close()));
      })();
      return closing;
    },
  };

  function recognitionStream(id: number, stream: OpenStream): RecognitionStream {
    const { worker } = stream.thread;
    const maxBehind = (MAX_BEHIND_MS * stream.sampleRateHz) / 1_000;
    const isOpen = (): boolean => streams.get(id) === stream;
    return {
      write(samples) {
        if (!isOpen()) return;
        stream.behindSamples += samples.length;
        if (stream.behindSamples > maxBehind) {
          drop(id);
          stream.failed(new VoiceError("upstream_timeout", "the local recogniser cannot keep up"));
          return;
        }
        const copy = new Int16Array(samples);
        worker.post({ type: "audio", stream: id, samples: copy }, [copy.buffer]);
      },
      flush() {
        if (isOpen()) worker.post({ type: "flush", stream: id });
      },
      setHints(next) {
        if (isOpen()) worker.post({ type: "hints", stream: id, hints: next });
        return true;
      },
      close: () => void drop(id),
    };
  }
}
