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
