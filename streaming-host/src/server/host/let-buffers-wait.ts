import { setFlagsFromString } from "node:v8";

/** The major version of V8 in Node 24. Earlier versions do not know the flag, and complain about it on stderr. */
const firstV8 = 13;

/**
 * V8 marks its whole heap whenever it holds 64 MB of buffers more than after the last marking, whether they are still needed or not.
 * Those of a frame are not, but nothing has them given back before the next collection of young objects, and 100 calls on a realtime model make
 * 50 MB a second. While that generation was collected once a second, nearly every time was followed by a marking of everything, which
 * held back 200 calls by up to 75 ms on a host with one core. From now on buffers count towards the limit of the heap as a whole, which
 * they do not come near.
 */
export function letBuffersWait(): void {
  if (Number.parseInt(process.versions.v8, 10) >= firstV8)
    setFlagsFromString("--external-memory-accounted-in-global-limit");
}
