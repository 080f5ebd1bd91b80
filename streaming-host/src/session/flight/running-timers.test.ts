import { describe, expect, it } from "vitest";
import { stepTimers } from "./running-timers.ts";

const event = { type: "paused", isPaused: false, atMs: 1 } as const;
const set = (timer: string) => ({ type: "set-timer", timer, delayMs: 100 });
const clear = (timer: string) => ({ type: "clear-timer", timer });

describe("the running timers", () => {
  it("that are cleared are stopped, and others that are cleared did not run", () => {
    expect(stepTimers(new Set(["idle", "flush"]), event, [clear("idle"), clear("hold")])).toEqual({
      running: new Set(["flush"]),
      stopped: ["idle"],
    });
  });

  it("that are set again go on", () => {
    expect(stepTimers(new Set(["idle"]), event, [clear("idle"), set("idle")])).toEqual({
      running: new Set(["idle"]),
      stopped: [],
    });
  });

  it("do not include one that is set and cleared in the same step", () => {
    expect(stepTimers(new Set(), event, [set("hold"), clear("hold")])).toEqual({ running: new Set(), stopped: [] });
  });

  it("do not include one that has fired", () => {
    const fired = { type: "timer", timer: "idle", atMs: 1 } as const;
    expect(stepTimers(new Set(["idle"]), fired, [clear("idle")])).toEqual({ running: new Set(), stopped: [] });
  });
});
