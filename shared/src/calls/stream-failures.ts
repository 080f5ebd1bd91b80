/** The latest failures of a call's stream, oldest first, and whether it has been reopened since each. Pure. */
import type { StreamFailure } from "../state/ports/call-store.ts";

/** More than any rule counts; older ones are dropped. */
const kept = 8;

/** Begins the event id of a failure that the service has not reported: a host has found a call without a stream. */
export const missingStreamPrefix = "silent:";

export function withFailure(
  failures: readonly StreamFailure[] | undefined,
  failure: StreamFailure,
): readonly StreamFailure[] {
  return [...(failures ?? []), failure].slice(-kept);
}

export function mended(failures: readonly StreamFailure[]): readonly StreamFailure[] {
  return failures.map((failure) => ({ ...failure, isMended: true }));
}
