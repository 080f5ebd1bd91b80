/**
 * What the log says of somebody who does not accept what is sent: once when that begins, now and then while it lasts, with how
 * much waits, and once when it is over. A line for each attempt would have the log grow with the number of conversations. An outage log
 * (shared/src/platform/outage-log.ts) is for what fails or works as a whole: a receiver may accept one event and not the next.
 */
import type { LogFields, Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { WaitingLane } from "@voice/shared/state/work/backlog";

export interface OutageOfReceiver {
  /** One attempt failed, at a time of the clock. Never rejects. `sentence` is said where this one begins the outage. */
  failed(nowMs: number, sentence: string, fields: LogFields): Promise<void>;
  worked(): void;
}

/** Also between the beginnings of two outages, so that one that comes and goes does not fill the log either. */
const saidAgainAfterMs = 600_000;

export function createOutageOfReceiver(
  logger: Pick<Logger, "info" | "warn">,
  sentences: { readonly lasting: string; readonly over: string; readonly uncounted: string },
  /** Undefined while nothing waits. */
  waiting: () => Promise<WaitingLane | undefined>,
): OutageOfReceiver {
  let saidAtMs = -Infinity;
  let isSaid = false;
  let failures = 0;
  return {
    async failed(nowMs, sentence, fields) {
      failures += 1;
      if (nowMs - saidAtMs < saidAgainAfterMs) return;
      saidAtMs = nowMs;
      if (!isSaid) {
        isSaid = true;
        return logger.warn(fields, sentence);
      }
      const counted = await warnIfItFails(logger, {}, sentences.uncounted, waiting);
      logger.warn({ ...fields, failures, waiting: counted?.count, longestMs: counted?.longestMs }, sentences.lasting);
    },
    worked() {
      if (isSaid) logger.info({ failures }, sentences.over);
      isSaid = false;
      failures = 0;
    },
  };
}
