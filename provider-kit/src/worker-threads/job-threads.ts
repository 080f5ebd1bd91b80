/**
 * Worker threads that each make something of samples, in the order in which they get them. A job that would have to wait for too long is
 * refused, because its result would come too late.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { unlessAborted } from "@voice/shared/platform/unless-aborted";
import type { Job, JobOutcome } from "./serve-jobs.ts";
import { WorkerThreads } from "./worker-threads.ts";
import type { WorkerThread, WorkerThreadsOptions } from "./worker-threads.ts";

type Pending<Result> = Map<number, PromiseWithResolvers<Result>>;
type Thread<Result> = WorkerThread<Job, Pending<Result>>;

export interface JobThreadsOptions extends Pick<
  WorkerThreadsOptions<unknown, unknown, unknown>,
  "engine" | "count" | "url" | "workerData" | "clock" | "logger"
> {
  /** The most jobs of one thread, with the one that it is doing. */
  readonly maxPending: number;
}

export class JobThreads<Result> {
  readonly #threads: WorkerThreads<Job, JobOutcome<Result>, Pending<Result>>;
  readonly #maxPending: number;
  #jobs = 0;

  constructor({ maxPending, ...options }: JobThreadsOptions) {
    this.#maxPending = maxPending;
    this.#threads = new WorkerThreads({
      ...options,
      createState: () => new Map(),
      onMessage: ({ state }, outcome) => settle(state, outcome, options.engine),
      onDied: ({ state }, error) => {
        for (const { reject } of state.values()) reject(error);
        state.clear();
      },
    });
  }

  get started(): Promise<void> {
    return this.#threads.started;
  }

  /** A thread has nothing to do. */
  get isIdle(): boolean {
    return this.#threads.ready.some(({ state }) => state.size === 0);
  }

  /**
   * Undefined if too many other jobs wait, or no thread is ready. Rejects if the engine fails, or its thread dies. A thread finishes what it
   * has started; if `signal` is aborted, the result is ignored.
   */
  async run(
    samples: Int16Array,
    { question, signal }: { readonly question?: unknown; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Result | undefined> {
    const thread = leastBusy(this.#threads.ready);
    if (thread === undefined || thread.state.size >= this.#maxPending) return undefined;
    const result = Promise.withResolvers<Result>();
    const job = ++this.#jobs;
    thread.state.set(job, result);
    thread.worker.post({ job, samples, question });
    return signal === undefined ? await result.promise : await unlessAborted(result.promise, signal);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

function settle<Result>(pending: Pending<Result>, outcome: JobOutcome<Result>, engine: string): void {
  const job = pending.get(outcome.job);
  pending.delete(outcome.job);
  if (outcome.type === "done") job?.resolve(outcome.result);
  else job?.reject(new VoiceError("upstream_unavailable", `${engine} failed: ${outcome.reason}`, { retryable: false }));
}

function leastBusy<Result>(threads: readonly Thread<Result>[]): Thread<Result> | undefined {
  return threads.reduce<Thread<Result> | undefined>(
    (least, thread) => (least === undefined || thread.state.size < least.state.size ? thread : least),
    undefined,
  );
}
