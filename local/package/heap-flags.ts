/**
 * V8's flags for a streaming host's memory. Every place that starts one passes these flags, and
 * heap-flags.test.ts compares those places with this list. Measured with 200 calls (docs/benchmarks.md): nothing that a frame or
 * a turn leaves behind is needed for long, so each collection of young objects copies half a megabyte, however many there were.
 */
export const heapFlags: readonly string[] = [
  // How far the young generation may grow; it does so with the first calls. With 64 a collection comes a third as often, but stops all calls
  // for two to three times as long, because more buffers have to be given back at once, and the host keeps 60 to 100 MB more.
  "--max-semi-space-size=16",
  // Buffers count as well: without this flag, the memory of frames in transit would trigger full collections.
  "--initial-old-space-size=256",
  // Needed for the one collection at the end of the start (streaming-host/src/main.ts).
  "--expose-gc",
];
