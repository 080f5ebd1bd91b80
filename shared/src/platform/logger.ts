/**
 * Structured logging. Messages are static sentences; whatever varies is an attribute. Transcripts, phone numbers, names
 * and headers are personal data: they may only stand under the single key `pii`, which is removed unless an operator
 * turns it on for a debugging session.
 */
import { multistream, pino, type DestinationStream } from "pino";
import { withErrorsForLog } from "./error-for-log.ts";

export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Logger;
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields of call and session records with personal data; such records must never be logged as a whole. */
const personalPaths = ["context", "*.context", "memory", "*.memory", "pii", "*.pii"];
const secretPaths = ["authorization", "*.authorization", "key", "*.key", "password", "*.password", "token", "*.token"];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly name: string;
  /** Standard output unless given. */
  readonly destination?: DestinationStream;
  /** Also receives every line as it is written. */
  readonly also?: DestinationStream | undefined;
}

export function createLogger({ level, name, destination, also }: LoggerOptions): Logger {
  const options = {
    name,
    level,
    base: { name },
    redact: { paths: [...personalPaths, ...secretPaths], remove: true },
    formatters: { log: withErrorsForLog },
  };
  if (also !== undefined) {
    // The level is filtered before lines get here.
    const streams = [destination ?? pino.destination(1), also].map((stream) => ({ level: "trace" as const, stream }));
    return pino(options, multistream(streams));
  }
  return destination === undefined ? pino(options) : pino(options, destination);
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
