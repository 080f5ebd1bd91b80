/**
 * Reports to the author of a tool why it failed: the model only learns that it did. Every word of a dialogue is fictitious, so an error's
 * own message may be shown, which the service's log leaves out.
 */
import { inspect } from "node:util";
import type { LogFields, Logger } from "@voice/shared/platform/logger";

/** `write` receives whole lines. Only warnings and errors are written. */
export function createFailureLogger(write: (text: string) => void, about: LogFields = {}): Logger {
  const report = (fields: LogFields, message: string): void => {
    const { tool, server, error, status } = { ...about, ...fields };
    const who = [server, tool].filter((name) => typeof name === "string").join(": ");
    const what = typeof status === "number" ? `${message} (${status})` : message;
    // A server's address, which its errors may name, can have a key in it.
    write([`${who}: ${what}`, ...(server === undefined ? placesOf(error) : [])].join("\n"));
  };
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: report,
    error: report,
    child: (fields) => createFailureLogger(write, { ...about, ...fields }),
  };
}

/** The error's words, where it comes from outside of Node and this repository, and what caused it. */
function placesOf(error: unknown): readonly string[] {
  if (error === undefined) return [];
  if (!(error instanceof Error)) return [`    ${inspect(error)}`];
  const frames = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line) && !line.includes("node:"));
  const cause = error.cause === undefined ? [] : placesOf(error.cause);
  return [`    ${error.name}: ${error.message}`, ...frames.slice(0, 1), ...cause];
}
