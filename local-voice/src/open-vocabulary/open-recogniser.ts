/**
 * A recogniser of whole utterances with an open vocabulary: one model in memory (115 to 140 MB) for all conversations of the process, in a
 * thread of its own.
 */
import { whenStarted, WorkerThreads } from "@voice/provider-kit/worker-threads/worker-threads";
import type { WorkerThread } from "@voice/provider-kit/worker-threads/worker-threads";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { FromOpenWorker, ToOpenWorker } from "./open-protocol.ts";

/** What the grammar's recogniser needs of it. */
export interface OpenVocabulary {
  /** Nobody's utterance is being recognised. */
  readonly isIdle: boolean;
  /**
   * The text of PCM16 mono at 16 kHz, with no more than 0.3 s of silence around the speech. Undefined if too many others are waiting.
   * Rejects if the model fails.
   */
  recognise(samples: Int16Array): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface OpenRecogniserOptions {
  /** The location of `open-worker` in a bundled host. */
  readonly workerUrl?: URL;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An utterance that waits behind three others comes half a second late. */
const maxPending = 3;

/** Resolves once the model is loaded; to undefined where this machine cannot run it, which is logged. */
export async function createOpenRecogniser(options: OpenRecogniserOptions): Promise<OpenVocabulary | undefined> {
  try {
    return await whenStarted(new OpenRecogniser(options));
  } catch (error) {
    options.logger.warn({ error }, "free speech is not recognised: its model cannot run on this machine");
    return undefined;
  }
}

interface Job {
  resolve(text: string): void;
  reject(error: unknown): void;
}

type Pending = Map<number, Job>;

class OpenRecogniser implements OpenVocabulary {
  readonly #threads: WorkerThreads<ToOpenWorker, FromOpenWorker, Pending>;
  #jobs = 0;

  constructor({ clock, logger, workerUrl }: OpenRecogniserOptions) {
    this.#threads = new WorkerThreads({
      engine: "the open recogniser",
      count: 1,
      url: workerUrl ?? new URL("./open-worker.ts", import.meta.url),
      workerData: undefined,
      clock,
      logger,
      createState: () => new Map<number, Job>(),
      onMessage: (thread, message) => onMessage(thread, message),
      onDied: ({ state }, error) => {
        for (const job of state.values()) job.reject(error);
        state.clear();
      },
    });
  }

  get started(): Promise<void> {
    return this.#threads.started;
  }

  get isIdle(): boolean {
    return this.#threads.ready.some(({ state }) => state.size === 0);
  }

  async recognise(samples: Int16Array): Promise<string | undefined> {
    const [thread] = this.#threads.ready;
    if (thread === undefined || thread.state.size >= maxPending) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const job = ++this.#jobs;
    thread.state.set(job, { resolve, reject });
    thread.worker.post({ job, samples });
    return await promise;
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

function onMessage({ state }: WorkerThread<ToOpenWorker, Pending>, message: FromOpenWorker): void {
  const job = state.get(message.job);
  state.delete(message.job);
  if (message.type === "recognised") job?.resolve(message.text);
  else job?.reject(new VoiceError("upstream_unavailable", `the open recogniser failed: ${message.reason}`));
}
