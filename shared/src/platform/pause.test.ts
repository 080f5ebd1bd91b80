import { expect, it } from "vitest";
import { pause } from "./pause.ts";
import { VirtualClock } from "./virtual-clock.ts";

it("waits until the time is over, or its signal is aborted, and not at all where that was so before", async () => {
  const clock = new VirtualClock();
  const leaving = new AbortController();
  const over: string[] = [];
  void pause(clock, 1000).then(() => over.push("the time"));
  void pause(clock, 60_000, leaving.signal).then(() => over.push("the signal"));
  await clock.advanceAsync(1000);
  leaving.abort();
  await pause(clock, 60_000, leaving.signal);
  expect([over, clock.pendingTimers]).toEqual([["the time", "the signal"], 0]);
});
