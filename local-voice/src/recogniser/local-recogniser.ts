/**
 * A recogniser that needs no cloud account. It recognises sentences made from the agents' examples, numbers, dates and
 * the words that steer a conversation, and rejects everything else. Streams are spread over worker threads.
 */
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import type {
  PoolFigures,
  Recogniser,
  RecognitionEvents,
  RecognitionOptions,
  RecognitionStream,
} from "@voice/provider-kit/ports/recogniser";
import { compileFlite } from "../synthesiser/compile-flite.ts";
import { superviseWorker } from "../supervised-worker.ts";
import type { SupervisedWorker, SupervisedWorkerOptions } from "../supervised-worker.ts";
import { LocalStream } from "./local-stream.ts";
import type { FromRecognitionWorker, RecognitionWorkerData, ToRecognitionWorker } from "./recognition-protocol.ts";

export interface LocalRecogniserOptions {
  readonly workers?: number;
  /** Idle decoders kept ready, over all threads; 25 MB each. */
  readonly warmDecoders?: number;
  /**
   * The most callers who can be decoded at the same time, over all threads; further ones wait for a decoder and are
   * answered later.
   */
  readonly maxDecoders?: number;
  /** The location of `recognition-worker` in a bundled host. */
  readonly workerUrl?: URL;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

interface Thread {
  readonly worker: SupervisedWorker<ToRecognitionWorker>;
  ready: boolean;
  readonly streams: Set<LocalStream>;
}

type ThreadOptions = Pick<SupervisedWorkerOptions<FromRecognitionWorker>, "url" | "workerData" | "clock" | "logger">;

/** Resolves once every thread has its engine. */
export async function createLocalRecogniser(options: LocalRecogniserOptions = {}): Promise<Recogniser> {
  const recogniser = new LocalRecogniser(options, await compileFlite());
  try {
    await recogniser.started;
  } catch (error) {
    await recogniser.close();
    throw error;
  }
  return recogniser;
}

class LocalRecogniser implements Recogniser {
  readonly #start = Promise.withResolvers<void>();
  readonly #threads: readonly Thread[];
  readonly #streams = new Map<number, LocalStream>();
  readonly #clock: Clock;
  readonly #warmDecoders: number;
  readonly #figures = { allocationsTotal: 0, allocationsWarm: 0, warmupCycles: 0, warmupFailures: 0 };
  #nextStream = 1;
  #closing: Promise<void> | undefined;

  constructor(options: LocalRecogniserOptions, flite: RecognitionWorkerData["flite"]) {
    const { workers = 1, warmDecoders = 2, maxDecoders = 8, clock = systemClock, logger = silentLogger } = options;
    const workerData: RecognitionWorkerData = {
      flite,
      warmDecoders: Math.ceil(warmDecoders / workers),
      maxDecoders: Math.ceil(maxDecoders / workers),
    };
    const url = options.workerUrl ?? new URL("./recognition-worker.ts", import.meta.url);
    this.#clock = clock;
    this.#warmDecoders = warmDecoders;
    this.#threads = Array.from({ length: workers }, () => this.#startThread({ url, workerData, clock, logger }));
  }

  get started(): Promise<void> {
    return this.#start.promise;
  }

  async open(
    { sampleRateHz, language, segmentationSilenceMs, longestPauseMs, hints }: RecognitionOptions,
    events: RecognitionEvents,
    signal: AbortSignal,
  ): Promise<RecognitionStream> {
    signal.throwIfAborted();
    if (this.#closing !== undefined) throw new VoiceError("dependency_not_ready", "recogniser is closed");
    if (!isSampleRate(sampleRateHz))
      throw new VoiceError("audio_format_unsupported", "sample rate of the caller's audio");
    const [thread] = this.#threads.filter(({ ready }) => ready).toSorted((a, b) => a.streams.size - b.streams.size);
    if (thread === undefined) throw new VoiceError("dependency_not_ready", "the local recogniser is starting");

    const id = this.#nextStream;
    this.#nextStream += 1;
    this.#figures.allocationsTotal += 1;
    if (this.#streams.size < this.#warmDecoders) this.#figures.allocationsWarm += 1;
    const { worker } = thread;
    const onGone = (): void => {
      this.#streams.delete(id);
      thread.streams.delete(stream);
    };
    const stream = new LocalStream({ id, worker, sampleRateHz, language, events, clock: this.#clock, onGone });
    this.#streams.set(id, stream);
    thread.streams.add(stream);
    worker.post({ type: "open", stream: id, sampleRateHz, segmentationSilenceMs, longestPauseMs, hints });
    return await stream.whenOpen(signal);
  }

  pool(): PoolFigures {
    return {
      ready: this.#closing === undefined && this.#threads.some(({ ready }) => ready),
      warmSize: Math.max(0, this.#warmDecoders - this.#streams.size),
      warmTarget: this.#warmDecoders,
      activeSessions: this.#streams.size,
      ...this.#figures,
      allocationsCold: this.#figures.allocationsTotal - this.#figures.allocationsWarm,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const stream of this.#streams.values())
      stream.fail(new VoiceError("dependency_not_ready", "recogniser is closed"));
    await Promise.all(this.#threads.map(({ worker }) => worker.close()));
  }

  #startThread(options: ThreadOptions): Thread {
    const thread: Thread = {
      ready: false,
      streams: new Set(),
      worker: superviseWorker<ToRecognitionWorker, FromRecognitionWorker>({
        ...options,
        onReady: () => {
          thread.ready = true;
          this.#figures.warmupCycles += 1;
          if (this.#threads.every(({ ready }) => ready)) this.#start.resolve();
        },
        onMessage: (message) => this.#streams.get(message.stream)?.hear(message),
        onDown: (wasReady) => this.#threadDied(thread, wasReady),
      }),
    };
    return thread;
  }

  #threadDied(thread: Thread, wasReady: boolean): void {
    thread.ready = false;
    for (const stream of thread.streams)
      stream.fail(new VoiceError("upstream_unavailable", "the local recogniser's thread died"));
    if (wasReady) return;
    this.#figures.warmupFailures += 1;
    this.#start.reject(new VoiceError("dependency_not_ready", "the local recogniser does not start"));
  }
}
