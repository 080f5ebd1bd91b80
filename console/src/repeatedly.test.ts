import { expect, it } from "vitest";

import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { repeatedly } from "./repeatedly.ts";

it("reads at once, and again as long after an answer as the answer says, until it is stopped", async () => {
  const clock = new VirtualClock();
  const readAtMs: number[] = [];
  const stop = repeatedly(clock, async () => {
    readAtMs.push(clock.now());
    return readAtMs.length * 10;
  });
  await clock.advanceAsync(35);
  expect(readAtMs).toHaveLength(3);
  stop();
  expect(clock.pendingTimers).toBe(0);
});

it("stops once an answer says so, or once it is stopped while an answer is awaited", async () => {
  const clock = new VirtualClock();
  let asked = 0;
  repeatedly(clock, async () => {
    asked += 1;
    return undefined;
  });
  let given: AbortSignal | undefined;
  const stop = repeatedly(clock, async (signal) => {
    given = signal;
    return 10;
  });
  stop();
  expect(given?.aborted).toBe(true);
  await clock.advanceAsync(100, 10);
  expect(asked).toBe(1);
  expect(clock.pendingTimers).toBe(0);
});
