/** What sentences mean, as vectors, from one network in memory (45 MB with its runtime) for all agents of the process, in a thread of its own. English only. */
import { JobThreads } from "@voice/provider-kit/worker-threads/job-threads";
import { whenStarted } from "@voice/provider-kit/worker-threads/worker-threads";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { SentenceVector } from "./universal-sentence-encoder.ts";

export interface SentenceEncoder {
  /** In their order; undefined where the thread has too much to do or fails, which is logged. */
  encode(sentences: readonly string[]): Promise<readonly SentenceVector[] | undefined>;
  close(): Promise<void>;
}

export interface SentenceEncoderOptions {
  /** The location of `encoder-worker` in a bundled host. */
  readonly workerUrl?: URL;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Callers' sentences take 2 to 8 ms each, so one that waits behind so many others comes a tenth of a second late. */
const maxPending = 16;
const noSamples = new Int16Array();

/** Resolves once the network is loaded; to undefined where this machine cannot run it, which is logged. */
export async function createSentenceEncoder(options: SentenceEncoderOptions): Promise<SentenceEncoder | undefined> {
  const { clock, logger, workerUrl = new URL("./encoder-worker.ts", import.meta.url) } = options;
  const engine = "the encoder of sentences";
  const thread = { engine, count: 1, maxPending, url: workerUrl, workerData: undefined, clock, logger };
  try {
    const threads = await whenStarted(new JobThreads<readonly SentenceVector[]>(thread));
    return {
      async encode(sentences) {
        try {
          return await threads.run(noSamples, { question: sentences });
        } catch (error) {
          logger.warn({ error }, "what a caller's words mean was not compared");
          return undefined;
        }
      },
      close: () => threads.close(),
    };
  } catch (error) {
    logger.warn({ error }, "sentences are compared by their words alone: their encoder cannot run on this machine");
    return undefined;
  }
}
