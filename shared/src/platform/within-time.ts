/** Limits how long something is waited for, on the injected clock. The work itself goes on, and what comes of it later is ignored. */
import type { Clock } from "./clock.ts";
import { VoiceError } from "./errors.ts";

/** Rejects with `upstream_timeout` if the work has not settled in time. */
export async function withinTime<T>(
  clock: Clock,
  limitMs: number,
  work: () => Promise<T>,
  reason = `no answer within ${limitMs} ms`,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.setTimer(limitMs, () => late.reject(new VoiceError("upstream_timeout", reason)));
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    cancel();
  }
}

/** Resolves to undefined if the work has not settled in time. */
export async function unlessLate<T>(clock: Clock, limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.setTimer(limitMs, () => late.resolve(undefined));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
