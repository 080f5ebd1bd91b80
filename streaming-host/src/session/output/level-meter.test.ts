import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { LevelMeter } from "./level-meter.ts";

function rig() {
  const clock = new VirtualClock();
  const reports: { input: number; output: number; atMs: number }[] = [];
  const meter = new LevelMeter(clock, (levels) => reports.push({ ...levels, atMs: clock.now() }));
  return { clock, reports, meter };
}

describe("level meter", () => {
  it("[FR-6] reports the loudest of each tenth of a second", () => {
    const { clock, reports, meter } = rig();
    for (let frame = 0; frame < 50; frame++) {
      meter.input(frame % 5 === 2 ? 0.5 : 0.1);
      clock.advance(20);
    }
    expect(reports.length).toBeGreaterThanOrEqual(10);
    for (const [index, { atMs }] of reports.entries())
      expect(atMs - (reports[index - 1]?.atMs ?? -100)).toBeGreaterThanOrEqual(100);
    expect(reports[1]).toMatchObject({ input: 0.5, output: 0 });
  });

  it("falls to zero when both sides stop sending, and says nothing while there is nothing to see", () => {
    const { clock, reports, meter } = rig();
    meter.output(0.4);
    clock.advance(20);
    meter.output(0.3);
    clock.advance(1000);
    expect(reports).toEqual([
      { input: 0, output: 0.4, atMs: 20 },
      { input: 0, output: 0, atMs: 220 },
    ]);
    meter.input(0);
    clock.advance(1000);
    expect(reports).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([2, 5, 7, 8, 10, 11, 12, 20])("falls to zero although the last of %d frames was just reported", (frames) => {
    const { clock, reports, meter } = rig();
    for (let frame = 0; frame < frames; frame++) {
      meter.output(0.4);
      clock.advance(22);
    }
    clock.advance(1000);
    expect(reports.at(-1)).toMatchObject({ input: 0, output: 0 });
    expect(clock.pendingTimers).toBe(0);
  });

  it("reports with the agent's frames while it is heard, so that a report can share a frame's write", () => {
    const { clock, reports, meter } = rig();
    const withAgent: boolean[] = [];
    for (let frame = 0; frame < 50; frame++) {
      meter.input(0.5);
      const before = reports.length;
      clock.advance(10);
      meter.output(0.4);
      withAgent.push(reports.length > before);
      clock.advance(10);
    }
    // The first frame of the caller came before the agent's.
    expect(reports.length - 1).toBe(withAgent.filter(Boolean).length);
    expect(reports.length).toBeGreaterThanOrEqual(9);
    clock.advance(100);
    meter.input(0.5);
    expect(reports.at(-1)).toMatchObject({ input: 0.5, output: 0.4 });
  });

  it("leaves no timer behind", () => {
    const { clock, meter } = rig();
    meter.output(0.4);
    meter.output(0.4);
    expect(clock.pendingTimers).toBe(1);
    meter.close();
    expect(clock.pendingTimers).toBe(0);
  });
});
