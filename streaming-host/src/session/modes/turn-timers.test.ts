import type { Clock } from "@voice/shared/platform/clock";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import type { TurnTimer } from "../turn/turn-effects.ts";
import { SessionTimers } from "./turn-timers.ts";

function rig(clockOver: (base: VirtualClock) => Clock = (base) => base) {
  const base = new VirtualClock();
  const clock = clockOver(base);
  const fired: string[] = [];
  const asked = { alarms: 0, cancels: 0 };
  const onFired: Partial<Record<TurnTimer, () => void>> = {};
  const counted: Clock = {
    now: () => clock.now(),
    wallNow: () => clock.wallNow(),
    setTimer(delayMs, callback) {
      asked.alarms++;
      const cancel = clock.setTimer(delayMs, callback);
      return () => {
        asked.cancels++;
        cancel();
      };
    },
  };
  const timers = new SessionTimers(counted, (timer) => {
    fired.push(`${timer} at ${clock.now()}`);
    onFired[timer]?.();
  });
  return { clock: base, timers, fired, asked, onFired };
}

/** A clock whose event loop is blocked until `stalledMs` later, so that what is due meanwhile is found in one ring. */
function stalling() {
  let stalledMs = 0;
  return {
    stall: (ms: number) => (stalledMs += ms),
    over: (base: VirtualClock): Clock => ({
      now: () => base.now() + stalledMs,
      wallNow: () => base.wallNow(),
      setTimer: (delayMs, callback) => base.setTimer(delayMs, callback),
    }),
  };
}

describe("a session's timers", () => {
  it("fire once, when they are due", () => {
    const { clock, timers, fired } = rig();
    timers.set("idle", 300);
    timers.set("flush", 100);
    clock.advance(1000);
    expect(fired).toEqual(["flush at 100", "idle at 300"]);
  });

  it("fire at their new time when they are set again, be it later or earlier", () => {
    const { clock, timers, fired } = rig();
    timers.set("idle", 300);
    timers.set("flush", 100);
    clock.advance(50);
    timers.set("idle", 100);
    timers.set("flush", 200);
    clock.advance(1000);
    expect(fired).toEqual(["idle at 150", "flush at 250"]);
  });

  it("do not fire when they were cleared", () => {
    const { clock, timers, fired } = rig();
    timers.set("idle", 300);
    timers.set("flush", 100);
    timers.clear("flush");
    timers.clear("hold");
    clock.advance(1000);
    expect(fired).toEqual(["idle at 300"]);
  });

  it("have one timer of the clock between them", () => {
    const { clock, timers } = rig();
    timers.set("idle", 300);
    timers.set("flush", 100);
    timers.set("hold", 200);
    expect(clock.pendingTimers).toBe(1);
  });

  it("ask nothing of the clock when one is cleared, or set for later than the alarm", () => {
    const { timers, asked } = rig();
    timers.set("flush", 100);
    timers.set("idle", 300);
    timers.clear("flush");
    timers.set("flush", 200);
    timers.clear("idle");
    expect(asked).toEqual({ alarms: 1, cancels: 0 });
  });

  it("have the alarm set anew for one that is due before it", () => {
    const { timers, asked } = rig();
    timers.set("idle", 300);
    timers.set("flush", 100);
    expect(asked).toEqual({ alarms: 2, cancels: 1 });
  });

  it("have the alarm set once for the next one when it rings for one that was cleared", () => {
    const { clock, timers, fired, asked } = rig();
    timers.set("flush", 100);
    timers.set("idle", 300);
    timers.set("hold", 200);
    timers.clear("flush");
    timers.clear("hold");
    clock.advance(299);
    expect({ fired, alarms: asked.alarms }).toEqual({ fired: [], alarms: 2 });
    clock.advance(1);
    expect(fired).toEqual(["idle at 300"]);
  });

  it("have no alarm when it has rung and nothing is to come", () => {
    const { clock, timers, fired } = rig();
    timers.set("flush", 100);
    timers.clear("flush");
    clock.advance(100);
    expect({ fired, pending: clock.pendingTimers }).toEqual({ fired: [], pending: 0 });
  });

  it("fire in the order in which they are due when the process was too busy for them", () => {
    const { stall, over } = stalling();
    const { clock, timers, fired, asked } = rig(over);
    timers.set("idle", 3);
    timers.set("flush", 1);
    timers.set("hold", 2);
    asked.alarms = 0;
    stall(10);
    clock.advance(1);
    expect(fired).toEqual(["flush at 11", "hold at 11", "idle at 11"]);
    expect(asked.alarms).toBe(0);
  });

  it("fire in the order in which they were set when they are due together", () => {
    const { clock, timers, fired } = rig();
    for (const timer of ["hold", "idle", "flush", "hold"] as const) timers.set(timer, 100);
    clock.advance(100);
    expect(fired).toEqual(["idle at 100", "flush at 100", "hold at 100"]);
  });

  it("do not fire when another one that is due together with them has cleared them", () => {
    const { clock, timers, fired, onFired } = rig();
    onFired["end-of-turn"] = () => timers.clear("flush");
    timers.set("end-of-turn", 100);
    timers.set("flush", 100);
    clock.advance(1000);
    expect(fired).toEqual(["end-of-turn at 100"]);
  });

  it("fire later when another one that is due together with them has moved them", () => {
    const { clock, timers, fired, onFired } = rig();
    onFired["end-of-turn"] = () => timers.set("flush", 50);
    timers.set("end-of-turn", 100);
    timers.set("flush", 100);
    clock.advance(1000);
    expect(fired).toEqual(["end-of-turn at 100", "flush at 150"]);
  });

  it("fire at once when they are set for now, or for the past", () => {
    const { clock, timers, fired } = rig();
    timers.set("flush", 0);
    timers.set("idle", -5);
    clock.advance(0);
    expect(fired).toEqual(["idle at 0", "flush at 0"]);
  });

  it("fire soon when another one sets them for now, and leave the event loop to others in between", () => {
    const { clock, timers, fired, onFired } = rig();
    onFired.filler = () => {
      if (fired.length < 5) timers.set("filler", 0);
    };
    timers.set("filler", 100);
    timers.set("idle", 100);
    clock.setTimer(100, () => fired.push("another session"));
    clock.advance(100);
    expect(fired).toEqual(["filler at 100", "idle at 100", "another session", "filler at 100", "filler at 100"]);
  });

  it("set one alarm for everything that is set while it rings", () => {
    const { clock, timers, asked, onFired } = rig();
    onFired.flush = () => {
      timers.set("idle", 300);
      timers.set("hold", 200);
      timers.set("filler", 100);
    };
    timers.set("flush", 100);
    clock.advance(100);
    expect(asked).toEqual({ alarms: 2, cancels: 0 });
  });

  it("do not fire early where the clock rings early, as Node's does, and wait for the rest once", () => {
    const { clock, timers, fired, asked } = rig((base) => ({
      now: () => base.now(),
      wallNow: () => base.wallNow(),
      setTimer: (delayMs, callback) => base.setTimer(Math.max(1, Math.floor(delayMs) - 0.5), callback),
    }));
    timers.set("flush", 100.25);
    clock.advance(1000);
    expect(fired).toEqual(["flush at 100.5"]);
    expect(asked.alarms).toBe(2);
  });

  it("leave nothing behind when all are cleared", () => {
    const { clock, timers, fired } = rig();
    timers.set("idle", 300);
    timers.set("flush", 100);
    timers.clearAll();
    expect(clock.pendingTimers).toBe(0);
    clock.advance(1000);
    expect(fired).toEqual([]);
  });

  it("leave nothing behind when one of them clears all", () => {
    const { clock, timers, fired, onFired } = rig();
    onFired.flush = () => timers.clearAll();
    timers.set("idle", 300);
    timers.set("flush", 100);
    timers.set("hold", 100);
    clock.advance(100);
    expect({ fired, pending: clock.pendingTimers }).toEqual({ fired: ["flush at 100"], pending: 0 });
  });

  it("fire although another one's handler has failed", () => {
    const { clock, timers, fired, onFired } = rig();
    onFired.flush = () => {
      throw new Error("a defect");
    };
    timers.set("flush", 100);
    timers.set("hold", 100);
    timers.set("idle", 300);
    expect(() => clock.advance(100)).toThrow("a defect");
    clock.advance(1000);
    expect(fired).toEqual(["flush at 100", "hold at 100", "idle at 300"]);
  });
});
