import { setFlagsFromString } from "node:v8";

/**
 * The young generation of a host may grow to 32 MB (local/package/heap-flags.ts), and V8 makes that of every thread by the same flag, whatever
 * the thread's own limits say. Speech engines hold their data outside of V8's heap and leave little behind in it, so threads that start from
 * now on have an eighth. V8 reads the flag whenever it makes a heap; those that are there stay as they are.
 */
export function keepThreadHeapsSmall(): void {
  setFlagsFromString("--max-semi-space-size=2");
}
