/**
 * The worker threads of one engine: started together, supervised, and closed together. The engine's owner stores its own state for each
 * thread, and is notified of a thread's messages and of its death.
 */
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import { VoiceError } from "@voice/shared/platform/errors";
import { superviseWorker } from "./supervised-worker.ts";
import type { SupervisedWorker, SupervisedWorkerOptions } from "./supervised-worker.ts";

export interface WorkerThread<ToWorker, State> {
  readonly worker: SupervisedWorker<ToWorker>;
  readonly state: State;
  ready: boolean;
}

export interface WorkerThreadsOptions<ToWorker, FromWorker, State> extends Pick<
  SupervisedWorkerOptions<FromWorker>,
  "url" | "workerData" | "clock" | "logger"
> {
  /** Names the engine in errors, such as `the local recogniser`. */
  readonly engine: string;
  readonly count: number;
  createState(): State;
  /** Also called for each thread that replaces one that died. */
  onReady?(): void;
  onMessage(thread: WorkerThread<ToWorker, State>, message: FromWorker): void;
  /** All work of the thread is lost. */
  onDied(thread: WorkerThread<ToWorker, State>, error: VoiceError): void;
}

export class WorkerThreads<ToWorker, FromWorker, State> {
  readonly all: readonly WorkerThread<ToWorker, State>[];
  readonly #options: WorkerThreadsOptions<ToWorker, FromWorker, State>;
  readonly #started = Promise.withResolvers<void>();
  #warmupCycles = 0;
  #warmupFailures = 0;

  constructor(options: WorkerThreadsOptions<ToWorker, FromWorker, State>) {
    this.#options = options;
    this.all = Array.from({ length: options.count }, () => this.#start());
  }

  /** Resolves once every thread has loaded its engine; rejects if one cannot start. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  get ready(): readonly WorkerThread<ToWorker, State>[] {
    return this.all.filter(({ ready }) => ready);
  }

  get figures(): Pick<PoolFigures, "warmupCycles" | "warmupFailures"> {
    return { warmupCycles: this.#warmupCycles, warmupFailures: this.#warmupFailures };
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ worker }) => worker.close()));
  }

  #start(): WorkerThread<ToWorker, State> {
    const { url, workerData, clock, logger, createState, onMessage } = this.#options;
    const thread: WorkerThread<ToWorker, State> = {
      ready: false,
      state: createState(),
      worker: superviseWorker<ToWorker, FromWorker>({
        url,
        workerData,
        clock,
        logger,
        onReady: () => this.#threadStarted(thread),
        onMessage: (message) => onMessage(thread, message),
        onDown: (wasReady) => this.#threadDied(thread, wasReady),
      }),
    };
    return thread;
  }

  #threadStarted(thread: WorkerThread<ToWorker, State>): void {
    thread.ready = true;
    this.#warmupCycles += 1;
    if (this.all.every(({ ready }) => ready)) this.#started.resolve();
    this.#options.onReady?.();
  }

  #threadDied(thread: WorkerThread<ToWorker, State>, wasReady: boolean): void {
    const { engine, onDied } = this.#options;
    thread.ready = false;
    onDied(thread, new VoiceError("upstream_unavailable", `${engine}'s thread died`));
    if (wasReady) return;
    this.#warmupFailures += 1;
    this.#started.reject(new VoiceError("dependency_not_ready", `${engine} does not start`));
  }
}

/** Returns the engine once its threads have started; closes it if one cannot start. */
export async function whenStarted<Engine extends { readonly started: Promise<void>; close(): Promise<void> }>(
  engine: Engine,
): Promise<Engine> {
  try {
    await engine.started;
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}
