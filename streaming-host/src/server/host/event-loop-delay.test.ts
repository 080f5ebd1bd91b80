import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { watchEventLoopDelay } from "./event-loop-delay.ts";

function startRig(limitMs = 100) {
  const clock = new VirtualClock();
  const measured: number[] = [];
  let delayMs = 0;
  const delay = watchEventLoopDelay({
    limitMs,
    clock,
    readDelayMs: () => delayMs,
    onMeasured: (one) => measured.push(one),
  });
  return {
    delay,
    measured,
    pass(seconds: number, lateMs: number): void {
      delayMs = lateMs;
      clock.advance(seconds * 1000);
    },
  };
}

describe("the delay of the event loop", () => {
  it("is measured once a second and told to telemetry", () => {
    const { delay, measured, pass } = startRig();
    pass(2, 7);
    expect(delay.delayMs).toBe(7);
    expect(measured).toEqual([7, 7]);
  });

  it("is overload after three late seconds in a row, and not before", () => {
    const { delay, pass } = startRig();
    pass(2, 150);
    expect(delay.isOverloaded).toBe(false);
    pass(1, 20);
    pass(2, 150);
    expect(delay.isOverloaded).toBe(false);
    pass(1, 150);
    expect(delay.isOverloaded).toBe(true);
  });

  it("is overload until it was below half the limit for three seconds", () => {
    const { delay, pass } = startRig();
    pass(3, 150);
    pass(10, 60);
    expect(delay.isOverloaded).toBe(true);
    pass(3, 49);
    expect(delay.isOverloaded).toBe(false);
  });

  it("is no longer measured after the end", () => {
    const { delay, measured, pass } = startRig();
    delay.stop();
    pass(5, 500);
    expect(measured).toEqual([]);
  });
});
