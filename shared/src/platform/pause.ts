import type { Clock } from "./clock.ts";

/** Waits, or stops waiting once the signal is aborted; never rejects, so the caller asks the signal afterwards. */
export function pause(clock: Clock, delayMs: number | undefined, signal?: AbortSignal): Promise<void> {
  if (delayMs === undefined || delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.setTimer(delayMs, resolve);
    signal?.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
