/**
 * TAKE-4: how long a tool with a lasting effect waits until the store confirms which host owns the conversation. While the store is
 * unreachable, only the end of the caller's stream shows that another host has taken over.
 */
import { pause } from "@voice/shared/platform/pause";
import type { Clock } from "@voice/shared/platform/clock";

/** `waits`: the store is unreachable, and the record is written when it returns. `taken over`: another host has the conversation. */
export type StorageOutcome = "stored" | "waits" | "taken over";

/** A caller is waiting for the tool, so a store that is slower than this counts as unreachable. */
const longestWaitMs = 500;
/**
 * After a process has stood still, its timers fire before it has read what arrived meanwhile: the store's response, or the end of the
 * stream. Reading takes a fraction of a second, because up to a minute of frames is queued before the end.
 */
const stoodStillMs = 250;
/** Prevents a host whose timers are always late from keeping its caller waiting for ever. */
const mostWaits = 4;

export async function untilStored(written: Promise<StorageOutcome>, clock: Clock): Promise<StorageOutcome> {
  for (let wait = 1; ; wait++) {
    const startedAtMs = clock.now();
    const isKnown = new AbortController();
    const over = pause(clock, longestWaitMs, isKnown.signal).then((): StorageOutcome => "waits");
    const known = written.then((answer) => (answer === "waits" ? over : answer));
    const answer = await Promise.race([known, over]);
    isKnown.abort();
    const lateMs = clock.now() - startedAtMs - longestWaitMs;
    if (answer !== "waits" || lateMs < stoodStillMs || wait === mostWaits) return answer;
  }
}
