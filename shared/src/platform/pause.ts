import type { Clock } from "./clock.ts";

/** Waits until the time is over or the signal is aborted. Never rejects, so the caller checks the signal afterwards. */
export function pause(clock: Clock, delayMs: number | undefined, signal?: AbortSignal): Promise<void> {
  if (delayMs === undefined || delayMs <= 0 || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.setTimer(delayMs, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}
