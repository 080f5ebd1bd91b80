/**
 * Gives back what starting left behind, before anybody can call: a third of what a host would hold from then on, because nothing
 * else makes V8 look at the old space while nobody talks. It stops the process for 0.1 s.
 *
 * `gc` is there where the process was started with `--expose-gc` (local/package/heap-flags.ts); without it nothing happens. Only a
 * collection of last resort also returns the emptied pages to the system.
 */
export function collectStartGarbage(): void {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
