import { describe, expect, it } from "vitest";
import { createAgreedClock } from "./agreed-clock.ts";
import type { Clock } from "./clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

const minuteMs = 60_000;

describe("the clock that all processes agree on", () => {
  /** A machine whose own clock is wrong by `errorMs`, and whose clock may be set while it runs. */
  function machineWith(initialErrorMs: number) {
    const time = new VirtualClock();
    let errorMs = initialErrorMs;
    const machine: Clock = {
      now: () => time.now(),
      wallNow: () => time.wallNow() + errorMs,
      setTimer: (delayMs, callback) => time.setTimer(delayMs, callback),
    };
    const clock = createAgreedClock(machine);
    return {
      time,
      clock,
      setMachine: (ms: number) => (errorMs = ms),
      read(askedMs = 0, answeredMs = 0) {
        time.advance(askedMs);
        const requestedAtMs = time.now();
        const sharedMs = time.wallNow();
        time.advance(answeredMs);
        clock.correct({ sharedMs, requestedAtMs, answeredAtMs: time.now() });
      },
    };
  }

  it.each([10 * minuteMs, -10 * minuteMs])(
    "shows the shared time on a machine whose clock is %i ms ahead, and says so",
    (errorMs) => {
      const { time, clock, read } = machineWith(errorMs);
      expect(clock.wallNow()).toBe(time.wallNow() + errorMs);
      read();
      time.advance(minuteMs);
      expect(Math.abs(clock.wallNow() - time.wallNow())).toBeLessThanOrEqual(1);
      expect(Math.abs(clock.machineAheadMs - errorMs)).toBeLessThanOrEqual(1);
    },
  );

  it("does not jump when the machine's clock is set", () => {
    const { time, clock, read, setMachine } = machineWith(0);
    read();
    setMachine(15 * minuteMs);
    expect(clock.wallNow()).toBe(time.wallNow());
    setMachine(-15 * minuteMs);
    time.advance(minuteMs);
    expect(clock.wallNow()).toBe(time.wallNow());
  });

  it("is off by no more than the time that the answer took", () => {
    const { time, clock, read } = machineWith(10 * minuteMs);
    read(0, 400);
    expect(Math.abs(clock.wallNow() - time.wallNow())).toBeLessThanOrEqual(401);
    read(0, 2);
    expect(Math.abs(clock.wallNow() - time.wallNow())).toBeLessThanOrEqual(3);
    // A slow answer does not make it worse again.
    read(0, 5000);
    expect(Math.abs(clock.wallNow() - time.wallNow())).toBeLessThanOrEqual(3);
  });

  it("keeps a machine's clock that is right as it is", () => {
    const { time, clock, read } = machineWith(0);
    read(10, 300);
    read(10_000, 7);
    expect(clock.wallNow()).toBe(time.wallNow());
  });
});
