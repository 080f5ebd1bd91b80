/**
 * V8's flags for a streaming host's memory. Every place that starts one passes these flags, and
 * heap-flags.test.ts compares those places with this list. Measured with 200 calls (docs/benchmarks.md): nothing that a frame or
 * a turn leaves behind is needed for long, so each collection of young objects copies half a megabyte, however many there were.
 */
export declare const heapFlags: readonly string[];
