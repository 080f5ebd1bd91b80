/** A logger that keeps what an adapter complained about last: the port says only that it failed. */
import { silentLogger, type LogFields, type Logger } from "@voice/shared/platform/logger";
import { problemOf } from "./problem-of.ts";

export interface LastWords {
  readonly logger: Logger;
  /** The newest complaint, or nothing. */
  said(): string | undefined;
}

export function createLastWords(): LastWords {
  let newest: string | undefined;
  const keep = ({ error }: LogFields, message: string): void => {
    newest = error instanceof Error ? `${message}: ${problemOf(error)}` : message;
  };
  const logger: Logger = { ...silentLogger, warn: keep, error: keep, child: () => logger };
  return { logger, said: () => newest };
}
