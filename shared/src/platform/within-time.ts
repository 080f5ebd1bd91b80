/** Limits how long something takes, on the injected clock. */
import type { Clock } from "./clock.ts";
import { VoiceError } from "./errors.ts";

/** Rejects with `upstream_timeout` if the work has not settled in time; it goes on, and what comes of it later is ignored. */
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

/** Resolves to undefined if the work has not settled in time; it goes on. */
export async function unlessLate<T>(clock: Clock, limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.setTimer(limitMs, () => late.resolve(undefined));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** Does work with a signal that is also aborted when the time is over, with the `late` error as its reason. */
export async function endedInTime<T>(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  late?: () => VoiceError,
): Promise<T> {
  const limit = new AbortController();
  const cancel = clock.setTimer(limitMs, () => limit.abort(late?.()));
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    cancel();
  }
}
