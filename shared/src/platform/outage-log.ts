/**
 * Logs the failures of work that is tried again several times a second: when they begin, when their code changes, and
 * when they are over. A line for each attempt would bury the cause of an outage under thousands of its consequences.
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
  let code: ErrorCode | undefined;
  let failures = 0;
  return {
    failed(error) {
      failures++;
      const failedWith = toVoiceError(error).code;
      if (failedWith === code) return;
      code = failedWith;
      logger.warn({ ...fields, error, code }, failing);
    },
    worked() {
      if (failures === 0) return;
      logger.info({ ...fields, failures }, over);
      code = undefined;
      failures = 0;
    },
  };
}
