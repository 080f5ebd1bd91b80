/**
 * A synthesiser that needs no cloud account: Flite in worker threads. Requests queue here and not in the threads, so
 * that cancelling one before its turn costs nothing.
 */
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
import { superviseWorker } from "../supervised-worker.ts";
import type { SupervisedWorker, SupervisedWorkerOptions } from "../supervised-worker.ts";
import { TimeHold } from "../time-hold.ts";
import type { FromSynthesisWorker, SynthesisWorkerData, ToSynthesisWorker } from "./synthesis-protocol.ts";
import { fliteSettings } from "./voices.ts";

export interface LocalSynthesiserOptions {
  /** Number of threads. One is 50 times faster than real time; more only shorten the wait of simultaneous requests. */
  readonly workers?: number;
  /** The location of `synthesis-worker` in a bundled host. */
  readonly workerUrl?: URL;
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

interface Thread {
  readonly worker: SupervisedWorker<ToSynthesisWorker>;
  ready: boolean;
  /** The thread's current job, kept even after its caller has gone: the thread is busy until it reports otherwise. */
  jobId: number | undefined;
}

type ThreadOptions = Pick<SupervisedWorkerOptions<FromSynthesisWorker>, "url" | "workerData" | "clock" | "logger">;

/** Resolves once every thread has its engine. */
export async function createLocalSynthesiser(options: LocalSynthesiserOptions = {}): Promise<Synthesiser> {
  const synthesiser = new LocalSynthesiser(options, { module: await compileFlite() });
  try {
    await synthesiser.started;
  } catch (error) {
    await synthesiser.close();
    throw error;
  }
  return synthesiser;
}

class LocalSynthesiser implements Synthesiser {
  readonly #start = Promise.withResolvers<void>();
  readonly #threads: readonly Thread[];
  readonly #waiting = new FairQueue<Job>(maxWaitingPerSession);
  /** Jobs that a thread is working on and that were not cancelled, by id. */
  readonly #active = new Map<number, Job>();
  readonly #clock: Clock;
  readonly #figures = { allocationsTotal: 0, allocationsWarm: 0, warmupCycles: 0, warmupFailures: 0 };
  #nextJob = 1;
  #closing: Promise<void> | undefined;

  constructor(options: LocalSynthesiserOptions, workerData: SynthesisWorkerData) {
    const { workers = 1, clock = systemClock, logger = silentLogger } = options;
    const url = options.workerUrl ?? new URL("./synthesis-worker.ts", import.meta.url);
    this.#clock = clock;
    this.#threads = Array.from({ length: workers }, () => this.#startThread({ url, workerData, clock, logger }));
  }

  get started(): Promise<void> {
    return this.#start.promise;
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
      this.#callOff(job);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#figures.allocationsTotal += 1;
    if (this.#threads.some(isIdle)) this.#figures.allocationsWarm += 1;
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
      ready: this.#closing === undefined && this.#threads.some(({ ready }) => ready),
      warmSize: this.#threads.filter(isIdle).length,
      warmTarget: this.#threads.length,
      activeSessions: this.#active.size,
      ...this.#figures,
      allocationsCold: this.#figures.allocationsTotal - this.#figures.allocationsWarm,
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
    await Promise.all(this.#threads.map(({ worker }) => worker.close()));
  }

  #dispatch(): void {
    for (const thread of this.#threads.filter(isIdle)) {
      const next = this.#waiting.take();
      if (next === undefined) return;
      thread.jobId = next.id;
      this.#active.set(next.id, next);
      const { text, voice, sampleRateHz } = next.request;
      thread.worker.post({ type: "speak", job: next.id, text, settings: fliteSettings(voice), sampleRateHz });
    }
  }

  #callOff(job: Job): void {
    const { id, request } = job;
    this.#waiting.remove(request.sessionId ?? job, job);
    if (!this.#active.delete(id)) return;
    this.#threads.find(({ jobId }) => jobId === id)?.worker.post({ type: "cancel", job: id });
  }

  /** Marks the thread as idle; returns the job it was working on, unless that was cancelled. */
  #release(thread: Thread): Job | undefined {
    const { jobId } = thread;
    thread.jobId = undefined;
    if (jobId === undefined) return undefined;
    const job = this.#active.get(jobId);
    this.#active.delete(jobId);
    return job;
  }

  #hear(thread: Thread, message: FromSynthesisWorker): void {
    if (message.job !== thread.jobId) return;
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

  #startThread(options: ThreadOptions): Thread {
    const thread: Thread = {
      ready: false,
      jobId: undefined,
      worker: superviseWorker<ToSynthesisWorker, FromSynthesisWorker>({
        ...options,
        onReady: () => {
          thread.ready = true;
          this.#figures.warmupCycles += 1;
          if (this.#threads.every(({ ready }) => ready)) this.#start.resolve();
          this.#dispatch();
        },
        onMessage: (message) => this.#hear(thread, message),
        onDown: (wasReady) => this.#threadDied(thread, wasReady),
      }),
    };
    return thread;
  }

  #threadDied(thread: Thread, wasReady: boolean): void {
    thread.ready = false;
    this.#release(thread)?.reject(new VoiceError("upstream_unavailable", "the local synthesiser's thread died"));
    if (wasReady) return;
    this.#figures.warmupFailures += 1;
    this.#start.reject(new VoiceError("dependency_not_ready", "the local synthesiser does not start"));
  }
}

function isIdle({ ready, jobId }: Thread): boolean {
  return ready && jobId === undefined;
}
