/** The newest troubles of a call's stream, oldest first, and whether it was open again since. Pure. */
import type { StreamFailure } from "../state/ports/call-store.ts";

/** More than anybody counts; the rest is forgotten. */
const kept = 8;

export function withFailure(
  failures: readonly StreamFailure[] | undefined,
  failure: StreamFailure,
): readonly StreamFailure[] {
  return [...(failures ?? []), failure].slice(-kept);
}

export function mended(failures: readonly StreamFailure[]): readonly StreamFailure[] {
  return failures.map((failure) => ({ ...failure, isMended: true }));
}
