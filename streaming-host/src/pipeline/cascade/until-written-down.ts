/**
 * TAKE-4: how long a tool with a lasting effect waits for the store to say whose the conversation is. While the store is
 * away, only the end of the caller's stream tells that another host has it.
 */
import { pause } from "@voice/shared/platform/pause";
import type { Clock } from "@voice/shared/platform/clock";

/** `waits`: the store is away, and gets it when it is back. `taken over`: another host has the conversation. */
export type WrittenDown = "stored" | "waits" | "taken over";

/** A caller is waiting for the tool, so a slower store counts as away. */
const longestWaitMs = 500;
/**
 * A process that stood still finds its timers over before it has read what came meanwhile: the store's answer, or that the
 * stream has ended. What it reads then takes a fraction of a second, as a minute of frames waits before the end.
 */
const stoodStillMs = 250;
/** A host that is late all the time does not keep its caller waiting for ever. */
const mostWaits = 4;

export async function untilWrittenDown(written: Promise<WrittenDown>, clock: Clock): Promise<WrittenDown> {
  for (let wait = 1; ; wait++) {
    const startedAtMs = clock.now();
    const isKnown = new AbortController();
    const over = pause(clock, longestWaitMs, isKnown.signal).then((): WrittenDown => "waits");
    const known = written.then((answer) => (answer === "waits" ? over : answer));
    const answer = await Promise.race([known, over]);
    isKnown.abort();
    const lateMs = clock.now() - startedAtMs - longestWaitMs;
    if (answer !== "waits" || lateMs < stoodStillMs || wait === mostWaits) return answer;
  }
}
