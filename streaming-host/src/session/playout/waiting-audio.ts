/**
 * Memory for audio that waits to be heard, used again and again. Audio waits for seconds: if each piece had memory of its own,
 * it would survive two collections of young objects and count as external memory of the old space, where every 64 MB of it make
 * V8 mark the whole heap. With 200 calls on a realtime model that happened every 1.3 s, and delayed all audio by 100 ms.
 */

/** 200 ms at 24 kHz, which is what a realtime model sends at a time. */
export const blockSamples = 4800;
/** 20 MB, enough for 200 calls at once. What is given back beyond that is left to the garbage collector. */
const mostFree = 2000;
const free: Int16Array[] = [];

/** The block still holds what its last user wrote. */
export function takeBlock(): Int16Array {
  return free.pop() ?? new Int16Array(blockSamples);
}

/** The block must not be used afterwards. */
export function giveBackBlock(block: Int16Array): void {
  if (free.length < mostFree) free.push(block);
}
