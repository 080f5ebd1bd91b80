/**
 * A recogniser that needs no cloud account. It recognises sentences made from the agents' examples, numbers, dates and
 * the words that steer a conversation, and rejects everything else. Streams are spread over worker threads.
 */
import { AllocationCount } from "@voice/provider-kit/ports/allocation-count";
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
import { createOpenRecogniser } from "../open-vocabulary/open-recogniser.ts";
import type { OpenWords } from "../open-vocabulary/two-ears.ts";
import { compileFlite } from "../synthesiser/compile-flite.ts";
import { whenStarted, WorkerThreads } from "@voice/provider-kit/worker-threads/worker-threads";
import { LocalStream } from "./local-stream.ts";
import type { FromRecognitionWorker, RecognitionWorkerData, ToRecognitionWorker } from "./recognition-protocol.ts";

export interface LocalRecogniserOptions {
  readonly workers?: number;
  /** Idle decoders kept ready, over all threads; 15 MB each. */
  readonly warmDecoders?: number;
  /**
   * The most callers who can be decoded at the same time, over all threads; the speech of others waits for a decoder and is recognised
   * later.
   */
  readonly maxDecoders?: number;
  /** Also recognises English words that no grammar expects, where this machine can. `opensUp`: see `Opinions` in `arbitrate.ts`. */
  readonly openVocabulary?: Pick<OpenWords, "opensUp"> | undefined;
  /** Has a model of speech confirm where speech begins and ends, where this machine can run it. */
  readonly confirmsSpeech?: boolean;
  /** Takes noise out of what callers say before it is recognised. */
  readonly suppressesNoise?: boolean;
  /** The location of `recognition-worker` in a bundled host. */
  readonly workerUrl?: URL;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Resolves once every thread has its engine. They load beside each other. */
export async function createLocalRecogniser(options: LocalRecogniserOptions = {}): Promise<Recogniser> {
  const opening = openWordsOf(options);
  return whenStarted(new LocalRecogniser(options, await compileFlite(), opening));
}

async function openWordsOf({
  openVocabulary,
  clock = systemClock,
  logger = silentLogger,
}: LocalRecogniserOptions): Promise<OpenWords | undefined> {
  if (openVocabulary === undefined) return undefined;
  const open = await createOpenRecogniser({ clock, logger });
  return open && { open, ...openVocabulary };
}

class LocalRecogniser implements Recogniser {
  /** The state of a thread: the streams that it serves. */
  readonly #threads: WorkerThreads<ToRecognitionWorker, FromRecognitionWorker, Set<LocalStream>>;
  readonly #streams = new Map<number, LocalStream>();
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #opening: Promise<OpenWords | undefined>;
  #openWords: OpenWords | undefined;
  readonly #warmDecoders: number;
  readonly #allocations = new AllocationCount();
  #nextStream = 1;
  #closing: Promise<void> | undefined;

  constructor(
    options: LocalRecogniserOptions,
    flite: RecognitionWorkerData["flite"],
    opening: Promise<OpenWords | undefined>,
  ) {
    const { workers = 1, warmDecoders = 2, maxDecoders = 8 } = options;
    const { confirmsSpeech = false, suppressesNoise = false } = options;
    const { clock = systemClock, logger = silentLogger } = options;
    const workerData: RecognitionWorkerData = {
      flite,
      warmDecoders: Math.ceil(warmDecoders / workers),
      maxDecoders: Math.ceil(maxDecoders / workers),
      confirmsSpeech,
      suppressesNoise,
    };
    this.#clock = clock;
    this.#logger = logger;
    this.#opening = opening;
    this.#warmDecoders = warmDecoders;
    this.#threads = new WorkerThreads({
      engine: "the local recogniser",
      count: workers,
      url: options.workerUrl ?? new URL("./recognition-worker.ts", import.meta.url),
      workerData,
      clock,
      logger,
      createState: () => new Set(),
      onMessage: (_thread, message) => this.#streams.get(message.stream)?.hear(message),
      onDied({ state: streams }, error) {
        for (const stream of streams) stream.fail(error);
      },
    });
  }

  get started(): Promise<void> {
    return this.#start();
  }

  async #start(): Promise<void> {
    [this.#openWords] = await Promise.all([this.#opening, this.#threads.started]);
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
    const [thread] = this.#threads.ready.toSorted((a, b) => a.state.size - b.state.size);
    if (thread === undefined) throw new VoiceError("dependency_not_ready", "the local recogniser is starting");

    const id = this.#nextStream;
    this.#nextStream += 1;
    this.#allocations.add({ isWarm: this.#streams.size < this.#warmDecoders });
    const { worker, state: streams } = thread;
    const onGone = (): void => {
      this.#streams.delete(id);
      streams.delete(stream);
    };
    const stream = new LocalStream({
      id,
      worker,
      sampleRateHz,
      language,
      hints,
      openWords: this.#openWords,
      events,
      clock: this.#clock,
      logger: this.#logger,
      onGone,
    });
    this.#streams.set(id, stream);
    streams.add(stream);
    const sendsSpeech = this.#openWords !== undefined;
    worker.post({ type: "open", stream: id, sampleRateHz, segmentationSilenceMs, longestPauseMs, hints, sendsSpeech });
    return await stream.whenOpen(signal);
  }

  pool(): PoolFigures {
    return {
      ready: this.#closing === undefined && this.#threads.ready.length > 0,
      warmSize: Math.max(0, this.#warmDecoders - this.#streams.size),
      warmTarget: this.#warmDecoders,
      activeSessions: this.#streams.size,
      ...this.#threads.figures,
      ...this.#allocations.figures,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const stream of this.#streams.values())
      stream.fail(new VoiceError("dependency_not_ready", "recogniser is closed"));
    await Promise.all([this.#threads.close(), this.#opening.then((words) => words?.open.close())]);
  }
}
