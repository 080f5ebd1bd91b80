/**
 * Memory for audio that waits to be heard. It waits for seconds: memory of its own for each piece would outlive two
 * collections of young objects and be counted as external memory of the old space, of which every 64 MB make V8 mark the whole
 * heap. With 200 calls on a realtime model that was a collection every 1.3 s, and 100 ms in which everybody's audio was late.
 */

/** 200 ms at 24 kHz: as much as a realtime model sends at a time. */
export const blockSamples = 4800;
/** 20 MB, what 200 calls need at once; what is given back beyond that is left to the collector. */
const mostFree = 2000;
const free: Int16Array[] = [];

/** Holds what its last user wrote. */
export function takeBlock(): Int16Array {
  return free.pop() ?? new Int16Array(blockSamples);
}

/** Nobody may use it afterwards. */
export function giveBackBlock(block: Int16Array): void {
  if (free.length < mostFree) free.push(block);
}
