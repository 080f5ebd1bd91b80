import { describe, expect, it } from "vitest";
import { createScaledClock } from "./scaled-clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

describe("a scaled clock", () => {
  it("passes several milliseconds in each of the clock below it, in its wall time as well", () => {
    const base = new VirtualClock();
    const clock = createScaledClock(4, base);
    const wallMs = clock.wallNow();
    const startMs = clock.now();
    base.advance(250);
    expect(clock.now() - startMs).toBe(1000);
    expect(clock.wallNow() - wallMs).toBe(1000);
  });

  it("runs a timer after its share of the time", async () => {
    const base = new VirtualClock();
    const clock = createScaledClock(4, base);
    const ranAtMs: number[] = [];
    clock.setTimer(1000, () => ranAtMs.push(base.now()));
    await base.advanceAsync(249);
    expect(ranAtMs).toEqual([]);
    await base.advanceAsync(2);
    expect(ranAtMs).toEqual([250]);
  });

  it("runs timers in the order in which they are due, and those that are due together in the order in which they were set", async () => {
    const base = new VirtualClock();
    const clock = createScaledClock(10, base);
    const ran: string[] = [];
    clock.setTimer(30, () => ran.push("third"));
    clock.setTimer(20, () => ran.push("first"));
    clock.setTimer(20, () => ran.push("second"));
    await base.advanceAsync(10);
    expect(ran).toEqual(["first", "second", "third"]);
  });

  it("does not run a timer that was cancelled, and runs the one behind it", async () => {
    const base = new VirtualClock();
    const clock = createScaledClock(4, base);
    const ran: string[] = [];
    const cancel = clock.setTimer(40, () => ran.push("cancelled"));
    clock.setTimer(80, () => ran.push("kept"));
    cancel();
    cancel();
    await base.advanceAsync(30);
    expect(ran).toEqual(["kept"]);
    expect(base.pendingTimers).toBe(0);
  });

  it("waits with its time for a timer that the machine is late with, so that later ones keep their distance", async () => {
    const base = new VirtualClock();
    let stalledMs = 0;
    const clock = createScaledClock(4, {
      now: () => base.now() + stalledMs,
      wallNow: () => base.wallNow(),
      setTimer: (delayMs, callback) => base.setTimer(delayMs, callback),
    });
    const ranAtMs: number[] = [];
    for (const dueMs of [100, 200]) clock.setTimer(dueMs, () => ranAtMs.push(clock.now()));
    stalledMs = 1000; // a second in which the event loop does not turn
    expect(clock.now()).toBe(104);
    await base.advanceAsync(100);
    expect(ranAtMs).toEqual([104, 200]);
  });

  it("lets promises settle between two timers that are due together", async () => {
    const base = new VirtualClock();
    const clock = createScaledClock(4, base);
    const ran: string[] = [];
    clock.setTimer(10, () => {
      ran.push("first");
      void Promise.resolve().then(() => ran.push("its promise"));
    });
    clock.setTimer(10, () => ran.push("second"));
    await base.advanceAsync(10);
    expect(ran).toEqual(["first", "its promise", "second"]);
  });

  it("stands still while anybody holds it, and continues from there", async () => {
    const base = new VirtualClock();
    const clock = createScaledClock(4, base);
    const ranAtMs: number[] = [];
    clock.setTimer(100, () => ranAtMs.push(base.now()));
    await base.advanceAsync(10);
    const [releaseOne, releaseOther] = [clock.hold(), clock.hold()];
    await base.advanceAsync(1000);
    releaseOne();
    releaseOne();
    await base.advanceAsync(1000);
    expect(clock.now()).toBe(40);
    expect(ranAtMs).toEqual([]);
    releaseOther();
    await base.advanceAsync(15);
    expect(ranAtMs).toEqual([2025]);
  });

  it("keeps pace with the clock below it while anybody slows it down, and is as fast as before afterwards", async () => {
    const base = new VirtualClock();
    const clock = createScaledClock(4, base);
    const ranAtMs: number[] = [];
    for (const dueMs of [30, 60, 100]) clock.setTimer(dueMs, () => ranAtMs.push(base.now()));
    await base.advanceAsync(5);
    expect(clock.now()).toBe(20);
    const [quickenOne, quickenOther] = [clock.slowDown(), clock.slowDown()];
    await base.advanceAsync(20);
    quickenOne();
    quickenOne();
    await base.advanceAsync(20);
    expect(clock.now()).toBe(60);
    quickenOther();
    await base.advanceAsync(10);
    expect(ranAtMs).toEqual([15, 45, 55]);
  });

  it("runs what is due while it is held", async () => {
    const base = new VirtualClock();
    const clock = createScaledClock(4, base);
    clock.hold();
    const ran: string[] = [];
    clock.setTimer(0, () => ran.push("at once"));
    clock.setTimer(1, () => ran.push("later"));
    await base.advanceAsync(50);
    expect(ran).toEqual(["at once"]);
  });
});
