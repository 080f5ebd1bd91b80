/**
 * A synthesiser that needs no cloud account: Flite in worker threads. Requests queue here and not in the threads, so
 * that cancelling one before its turn costs nothing.
 */
import { AllocationCount } from "@voice/provider-kit/ports/allocation-count";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { compileFlite } from "./compile-flite.ts";
import { FairQueue } from "./fair-queue.ts";
import { TimeHold } from "../time-hold.ts";
import { whenStarted, WorkerThreads } from "@voice/provider-kit/worker-threads/worker-threads";
import type { WorkerThread } from "@voice/provider-kit/worker-threads/worker-threads";
import type { FromSynthesisWorker, SynthesisWorkerData, ToSynthesisWorker } from "./synthesis-protocol.ts";
import { readVoiceModel } from "../voice-model/voice-model-folder.ts";

export interface LocalSynthesiserOptions {
  /** Number of threads. One is 50 times faster than real time; more only shorten the wait of simultaneous requests. */
  readonly workers?: number;
  /** The location of `synthesis-worker` in a bundled host. */
  readonly workerUrl?: URL;
  /** The folder of a user's own voice model, in place of Flite. */
  readonly voiceModelDir?: string | undefined;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** A session has at most three clauses in progress; more waiting requests mean that something is wrong. */
const maxWaitingPerSession = 8;

interface Job {
  readonly id: number;
  readonly request: SynthesisRequest;
  readonly events: SynthesisEvents;
  /** Holds the simulated clock until the first audio is ready. */
  readonly time: TimeHold;
  resolve(): void;
  reject(error: unknown): void;
}

interface ThreadState {
  /** The thread's current job, kept even after its caller has gone: the thread is busy until it reports otherwise. */
  jobId: number | undefined;
}

type Thread = WorkerThread<ToSynthesisWorker, ThreadState>;

/** Resolves once every thread has its engine; rejects with a `ConfigurationError` if the folder is no voice model. */
export async function createLocalSynthesiser(options: LocalSynthesiserOptions = {}): Promise<Synthesiser> {
  const { voiceModelDir } = options;
  const voice =
    voiceModelDir === undefined ? { flite: await compileFlite() } : { model: await readVoiceModel(voiceModelDir) };
  return whenStarted(new LocalSynthesiser(options, { voice }));
}

class LocalSynthesiser implements Synthesiser {
  readonly #threads: WorkerThreads<ToSynthesisWorker, FromSynthesisWorker, ThreadState>;
  readonly #waiting = new FairQueue<Job>(maxWaitingPerSession);
  /** Jobs that a thread is working on and that were not cancelled, by id. */
  readonly #active = new Map<number, Job>();
  readonly #clock: Clock;
  readonly #allocations = new AllocationCount();
  #nextJob = 1;
  #closing: Promise<void> | undefined;

  constructor(options: LocalSynthesiserOptions, workerData: SynthesisWorkerData) {
    const { workers = 1, clock = systemClock, logger = silentLogger } = options;
    this.#clock = clock;
    this.#threads = new WorkerThreads({
      engine: "the local synthesiser",
      count: workers,
      url: options.workerUrl ?? new URL("./synthesis-worker.ts", import.meta.url),
      workerData,
      clock,
      logger,
      createState: () => ({ jobId: undefined }),
      onReady: () => this.#dispatch(),
      onMessage: (thread, message) => this.#hear(thread, message),
      onDied: (thread, error) => this.#release(thread)?.reject(error),
    });
  }

  get started(): Promise<void> {
    return this.#threads.started;
  }

  async synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#closing !== undefined) throw new VoiceError("dependency_not_ready", "synthesiser is closed");
    if (!isSampleRate(request.sampleRateHz))
      throw new VoiceError("audio_format_unsupported", "sample rate of the requested audio");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const id = this.#nextJob;
    this.#nextJob += 1;
    const job = { id, request, events, time: new TimeHold(this.#clock), resolve, reject };
    if (!this.#waiting.push(request.sessionId ?? job, job))
      throw new VoiceError("speech_quota_exceeded", "too many clauses of this session wait for the synthesiser");
    const abort = (): void => {
      this.#cancel(job);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#allocations.add({ isWarm: this.#threads.all.some(isIdle) });
    job.time.set(true);
    this.#dispatch();
    try {
      await promise;
    } finally {
      job.time.set(false);
      signal.removeEventListener("abort", abort);
    }
  }

  pool(): PoolFigures {
    return {
      ready: this.#closing === undefined && this.#threads.ready.length > 0,
      warmSize: this.#threads.all.filter(isIdle).length,
      warmTarget: this.#threads.all.length,
      activeSessions: this.#active.size,
      ...this.#threads.figures,
      ...this.#allocations.figures,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closed = new VoiceError("dependency_not_ready", "synthesiser is closed");
    for (const job of [...this.#waiting.takeAll(), ...this.#active.values()]) job.reject(closed);
    this.#active.clear();
    await this.#threads.close();
  }

  #dispatch(): void {
    for (const thread of this.#threads.all.filter(isIdle)) {
      const next = this.#waiting.take();
      if (next === undefined) return;
      thread.state.jobId = next.id;
      this.#active.set(next.id, next);
      const { text, voice, sampleRateHz } = next.request;
      thread.worker.post({ type: "speak", job: next.id, text, voice, sampleRateHz });
    }
  }

  #cancel(job: Job): void {
    const { id, request } = job;
    this.#waiting.remove(request.sessionId ?? job, job);
    if (!this.#active.delete(id)) return;
    this.#threads.all.find(({ state }) => state.jobId === id)?.worker.post({ type: "cancel", job: id });
  }

  /** Marks the thread as idle; returns the job it was working on, unless that was cancelled. */
  #release(thread: Thread): Job | undefined {
    const { jobId } = thread.state;
    thread.state.jobId = undefined;
    if (jobId === undefined) return undefined;
    const job = this.#active.get(jobId);
    this.#active.delete(jobId);
    return job;
  }

  #hear(thread: Thread, message: FromSynthesisWorker): void {
    if (message.job !== thread.state.jobId) return;
    if (message.type === "piece") {
      const job = this.#active.get(message.job);
      job?.time.set(false);
      // Words come first, so that a receiver that tracks what was heard has them before the audio they describe.
      for (const word of message.words) job?.events.onWord(word);
      // A word's receiver may have cancelled the job.
      this.#active.get(message.job)?.events.onAudio(message.samples);
      return;
    }
    const job = this.#release(thread);
    if (message.type === "done") job?.resolve();
    else job?.reject(new VoiceError("upstream_unavailable", "local synthesis failed"));
    this.#dispatch();
  }
}

function isIdle({ ready, state }: Thread): boolean {
  return ready && state.jobId === undefined;
}
