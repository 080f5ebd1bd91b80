/**
 * A recogniser of whole utterances with an open vocabulary: one model in memory (75 MB, and up to 150 after long sentences) for all conversations of the process, in a
 * thread of its own.
 */
import { JobThreads } from "@voice/provider-kit/worker-threads/job-threads";
import { whenStarted } from "@voice/provider-kit/worker-threads/worker-threads";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { OpenQuestion, OpenText } from "./moonshine.ts";

/** What the grammar's recogniser needs of it. */
export interface OpenVocabulary {
  /** Nobody's utterance is being recognised. */
  readonly isIdle: boolean;
  /**
   * The text of PCM16 mono at 16 kHz, with no more than 0.3 s of silence around the speech; and what is expected, if that was said.
   * Undefined if too many others are waiting. Rejects if the model fails.
   */
  recognise(samples: Int16Array, question: OpenQuestion): Promise<OpenText | undefined>;
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
  const { clock, logger, workerUrl = new URL("./open-worker.ts", import.meta.url) } = options;
  const engine = "the open recogniser";
  const thread = { engine, count: 1, maxPending, url: workerUrl, workerData: undefined, clock, logger };
  try {
    const threads = await whenStarted(new JobThreads<OpenText>(thread));
    return {
      get isIdle() {
        return threads.isIdle;
      },
      recognise: (samples, question) => threads.run(samples, { question }),
      close: () => threads.close(),
    };
  } catch (error) {
    logger.warn({ error }, "free speech is not recognised: its model cannot run on this machine");
    return undefined;
  }
}
