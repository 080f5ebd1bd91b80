import { describe, expect, it } from "vitest";
import { createAgreedClock } from "../platform/agreed-clock.ts";
import { VoiceError } from "../platform/errors.ts";
import { silentLogger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { keepTime, readingPeriodMs } from "./keep-time.ts";

describe("keeping a process's clock at the time of its store", () => {
  function given(initialAheadMs: number) {
    const machine = new VirtualClock();
    const clock = createAgreedClock(machine);
    const lines: [level: string, aheadMs?: unknown][] = [];
    const store = { aheadMs: initialAheadMs, isAway: false, readings: 0 };
    const logger = {
      ...silentLogger,
      warn: (fields: Record<string, unknown>) =>
        lines.push(["warn", Math.round(Number(fields["aheadMs"]) / 1000) * 1000]),
      info: () => lines.push(["info"]),
    };
    const state = {
      kind: "redis" as const,
      async time() {
        store.readings += 1;
        if (store.isAway) throw new VoiceError("cache_connection_failed", "away");
        return machine.wallNow() - store.aheadMs;
      },
    };
    const off = (aheadMs: number): number => Math.abs(machine.wallNow() - aheadMs - clock.wallNow());
    return { machine, clock, lines, store, keep: () => keepTime(clock, state, logger), state, logger, off };
  }

  it.each([60_000, -60_000])(
    "has the store's time from the start, and says once that the machine's is %i ms ahead",
    async (aheadMs) => {
      const { machine, lines, store, keep, off } = given(aheadMs);
      const stop = await keep();
      expect(off(aheadMs)).toBeLessThanOrEqual(1);
      await machine.advanceAsync(2 * readingPeriodMs, 1000);
      store.aheadMs = 0;
      await machine.advanceAsync(2 * readingPeriodMs, 1000);
      expect(off(0)).toBeLessThanOrEqual(1);
      expect(lines).toEqual([["warn", aheadMs], ["info"]]);
      stop();
    },
  );

  it("goes on while the store is away, and reads again when it is back", async () => {
    const { machine, clock, store, keep, off } = given(60_000);
    store.isAway = true;
    const stop = await keep();
    expect(clock.wallNow()).toBe(machine.wallNow());
    store.isAway = false;
    await machine.advanceAsync(readingPeriodMs, 1000);
    expect(off(60_000)).toBeLessThanOrEqual(1);
    stop();
  });

  it("has the store's time at once when a store comes that was away from the start", async () => {
    const { machine, store, keep, off } = given(60_000);
    store.isAway = true;
    const stop = await keep();
    await machine.advanceAsync(3 * readingPeriodMs, 1000);
    store.isAway = false;
    await machine.advanceAsync(500, 100);
    expect(off(60_000)).toBeLessThanOrEqual(1);
    const { readings } = store;
    await machine.advanceAsync(2 * readingPeriodMs, 1000);
    expect(store.readings).toBe(readings + 2);
    stop();
  });

  it("stops", async () => {
    const { machine, store, keep } = given(0);
    (await keep())();
    await machine.advanceAsync(3 * readingPeriodMs, 1000);
    expect(store.readings).toBe(1);
    expect(machine.pendingTimers).toBe(0);
  });

  it("asks nobody where the state is in the memory of one process", async () => {
    const { machine, store, clock, logger, state } = given(60_000);
    await keepTime(clock, { ...state, kind: "memory" }, logger);
    expect([store.readings, machine.pendingTimers]).toEqual([0, 0]);
  });
});
