/**
 * Explains why a process does not start: one clear line for each problem that a person can fix, and a stack trace for
 * anything else.
 */
import { CatalogError } from "../catalog/problems.ts";
import { ConfigurationError } from "./configuration-error.ts";

/** `command` is what the person typed, for the advice to type it with another port. */
export function explainStartFailure(error: unknown, command: string): string {
  if (error instanceof CatalogError || error instanceof ConfigurationError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (!("syscall" in error) || !("code" in error)) return error.stack ?? error.message;
  switch (error.code) {
    case "EADDRINUSE":
      return `${error.message}. Choose another port: ${command}`;
    case "EACCES":
      return `${error.message}. This port is for the administrator; choose one from 1024 on: ${command}`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${error.message}. HOST must be an address of this machine, for instance 127.0.0.1`;
    default:
      return error.message;
  }
}
