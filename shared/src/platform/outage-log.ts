/**
 * Logs the failures of work that is retried again and again: when they start, when one has a code that has not occurred before, and when
 * they end. A line for each attempt would bury the cause of an outage under thousands of its consequences.
 */
import { toVoiceError } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import type { LogFields, Logger } from "./logger.ts";

export interface OutageLog {
  failed(error: unknown): void;
  worked(): void;
}

export interface OutageSentences {
  readonly failing: string;
  readonly over: string;
}

export function createOutageLog(
  logger: Pick<Logger, "info" | "warn">,
  { failing, over }: OutageSentences,
  fields: LogFields = {},
): OutageLog {
  /** All codes of this outage, because attempts that fail alternately in two ways would otherwise each be logged. */
  const codes = new Set<ErrorCode>();
  let failures = 0;
  return {
    failed(error) {
      failures++;
      const { code } = toVoiceError(error);
      if (codes.has(code)) return;
      codes.add(code);
      logger.warn({ ...fields, error, code }, failing);
    },
    worked() {
      if (failures === 0) return;
      logger.info({ ...fields, failures }, over);
      codes.clear();
      failures = 0;
    },
  };
}

/**
 * For several users of one log that are affected by the same outage: it starts with the first failure of any, and ends when none fails any
 * more. Returns a log for each of them.
 */
export function shareOutageLog(log: OutageLog): () => OutageLog {
  const failing = new Set<OutageLog>();
  return () => {
    const own: OutageLog = {
      failed(error) {
        failing.add(own);
        log.failed(error);
      },
      worked() {
        if (failing.delete(own) && failing.size === 0) log.worked();
      },
    };
    return own;
  };
}
