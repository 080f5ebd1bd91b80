/**
 * How V8 keeps house in a streaming host; wherever one is started it is given these, and heap-flags.test.ts holds the places
 * against this list. Measured with 40 and 100 calls (docs/benchmarks.md): nothing that a frame or a turn leaves behind lives for
 * longer than a second, so it need never reach the old space. Node's own sizes let half of it get there, and collecting it again
 * stops all calls for 7 to 24 ms every second and a half.
 */
export const heapFlags: readonly string[] = [
  // How far the young generation may grow; it does so with the first calls. To begin at this size made no answer faster, and
  // 90 MB more resident.
  "--max-semi-space-size=64",
  // The memory of buffers counts as well: without this, that of frames on their way begins a collection of everything.
  "--initial-old-space-size=256",
  // For the one collection at the end of the start (streaming-host/src/server/host/collect-start-garbage.ts).
  "--expose-gc",
];
