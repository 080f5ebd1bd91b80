import type { Clock } from "@voice/shared/platform/clock";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { untilStored } from "./until-stored.ts";
import type { StorageOutcome } from "./until-stored.ts";

/** Where the process stands still, time passes without its timers. */
function rig() {
  const time = new VirtualClock();
  let stoodStillMs = 0;
  const clock: Clock = {
    now: () => time.now() + stoodStillMs,
    wallNow: () => time.wallNow() + stoodStillMs,
    setTimer: (delayMs, callback) => time.setTimer(delayMs, callback),
  };
  return { time, clock, standStill: (ms: number) => (stoodStillMs += ms) };
}

it("[TAKE-4c] knows at once what the store says", async () => {
  const { time, clock } = rig();
  expect(await untilStored(Promise.resolve("stored"), clock)).toBe("stored");
  expect(await untilStored(Promise.resolve("taken over"), clock)).toBe("taken over");
  expect(time.pendingTimers).toBe(0);
});

it("[TAKE-4c] gives the caller's stream half a second to end while the store is away or silent", async () => {
  for (const written of [Promise.resolve<StorageOutcome>("waits"), new Promise<StorageOutcome>(() => undefined)]) {
    const { time, clock } = rig();
    let answer: StorageOutcome | undefined;
    const known = untilStored(written, clock).then((value) => (answer = value));
    await time.advanceAsync(499, 100);
    expect(answer).toBeUndefined();
    await time.advanceAsync(1);
    expect(await known).toBe("waits");
  }
});

it("[TAKE-4c] reads what came while the process stood still before it goes by its timer", async () => {
  const { time, clock, standStill } = rig();
  const written = Promise.withResolvers<StorageOutcome>();
  const known = untilStored(written.promise, clock);
  standStill(60_000);
  await time.advanceAsync(500, 100);
  written.resolve("taken over");
  expect(await known).toBe("taken over");
});

it("[TAKE-4c] waits for two seconds at most on a host that is late all the time", async () => {
  const { time, clock, standStill } = rig();
  const known = untilStored(Promise.resolve("waits"), clock);
  for (let wait = 0; wait < 4; wait++) {
    standStill(1000);
    await time.advanceAsync(500, 100);
  }
  expect(await known).toBe("waits");
});
