/** Real waiting, for tests of real processes. */

/**
 * How long a test waits for what comes in milliseconds. It only ends what hangs: a machine that others share may be ten times as
 * slow as usual for a minute.
 */
export const longestWaitMs = 120_000;

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

const stepMs = 50;

/**
 * How long work takes that waits for real time, counted in steps in which this process ran, up to `boundMs`: a step that took longer was
 * one of a machine that stood still, and the work stood still with it.
 */
export async function timeOf(work: () => Promise<unknown>, boundMs: number): Promise<number> {
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  let passedMs = 0;
  // The work may fail before anybody awaits it.
  working.catch(() => undefined);
  for (; passedMs < boundMs && !isDone; passedMs += stepMs) await sleep(stepMs);
  if (isDone) await working;
  return passedMs;
}

/** Checks every 20 ms until the condition holds; a check that rejects counts as false. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  boundMs = longestWaitMs,
): Promise<void> {
  const deadline = Date.now() + boundMs;
  for (;;) {
    if (await Promise.resolve(condition()).catch(() => false)) return;
    if (Date.now() > deadline)
      throw new Error(`this did not happen in ${boundMs} ms: ${typeof what === "string" ? what : what()}`);
    await sleep(20);
  }
}
