/** Real waiting, for tests of real processes. */

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Checks every 20 ms until the condition holds; a check that rejects counts as false. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  boundMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + boundMs;
  for (;;) {
    if (await Promise.resolve(condition()).catch(() => false)) return;
    if (Date.now() > deadline)
      throw new Error(`this did not happen in ${boundMs} ms: ${typeof what === "string" ? what : what()}`);
    await sleep(20);
  }
}
