/**
 * V8's flags for a streaming host's memory. Every place that starts one passes these flags, and
 * heap-flags.test.ts compares those places with this list. Measured with 40 and 100 calls (docs/benchmarks.md): nothing that a frame or
 * a turn leaves behind lives for longer than a second, so it need never reach the old space. Node's own sizes let half of it get there,
 * and collecting it again stops all calls for 7 to 24 ms every second and a half.
 */
export const heapFlags: readonly string[] = [
  // How far the young generation may grow; it does so with the first calls. Starting at this size made no answer faster, and kept
  // 90 MB more resident.
  "--max-semi-space-size=64",
  // Buffers count as well: without this flag, the memory of frames in transit would trigger full collections.
  "--initial-old-space-size=256",
  // Needed for the one collection at the end of the start (streaming-host/src/server/host/collect-start-garbage.ts).
  "--expose-gc",
];
