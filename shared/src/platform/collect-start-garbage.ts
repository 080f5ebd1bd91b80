/**
 * Gives back what starting left behind in this thread: nothing else makes V8 look at the old space while nobody talks. It stops the thread for
 * a tenth of a second at most.
 *
 * `gc` is there where the process was started with `--expose-gc` (local/package/heap-flags.ts); without it nothing happens. Only a
 * collection of last resort also returns the emptied pages to the system.
 */
export function collectStartGarbage(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
