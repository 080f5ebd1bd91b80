/** A logger that remembers the last problem logged by an adapter, because the port reports only that something failed. */
import { silentLogger, type LogFields, type Logger } from "@voice/shared/platform/logger";
import { problemOf } from "./problem-of.ts";

export interface LastProblem {
  readonly logger: Logger;
  /** The latest problem, or undefined. */
  said(): string | undefined;
}

export function createLastProblem(): LastProblem {
  let newest: string | undefined;
  const keep = ({ error }: LogFields, message: string): void => {
    newest = error instanceof Error ? `${message}: ${problemOf(error)}` : message;
  };
  const logger: Logger = { ...silentLogger, warn: keep, error: keep, child: () => logger };
  return { logger, said: () => newest };
}
