import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { createIndexUpkeep } from "./index-upkeep.ts";
import { dayMs } from "../../platform/day.ts";

const pauseMs = 10 * 60_000;

describe("the upkeep of an index", () => {
  it("is due at the first entry, and again after ten minutes", () => {
    const clock = new VirtualClock();
    const upkeep = createIndexUpkeep(clock, dayMs);
    expect([upkeep.isDue(), upkeep.isDue()]).toEqual([true, false]);
    clock.advance(pauseMs - 1);
    expect(upkeep.isDue()).toBe(false);
    clock.advance(1);
    expect([upkeep.isDue(), upkeep.isDue()]).toEqual([true, false]);
  });

  it("lets an index outlive what enters it just before the next upkeep, also when one upkeep has failed", () => {
    const upkeep = createIndexUpkeep(new VirtualClock(), dayMs);
    expect(upkeep.lifeSpanMs - 2 * pauseMs).toBeGreaterThanOrEqual(dayMs);
  });
});
