import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { ExpiringMap } from "./expiring-map.ts";

describe("expiring map", () => {
  it("shows an entry until the end of its life span and not a moment longer", () => {
    const clock = new VirtualClock();
    const map = new ExpiringMap<string>(clock);
    map.set("a", "x", 100);
    clock.advance(99);
    expect(map.get("a")).toBe("x");
    clock.advance(1);
    expect(map.get("a")).toBeUndefined();
    expect(map.values()).toEqual([]);
  });

  it("renews a living entry and does not wake a dead one", () => {
    const clock = new VirtualClock();
    const map = new ExpiringMap<string>(clock);
    map.set("a", "x", 100);
    clock.advance(80);
    map.renew("a", 100);
    clock.advance(80);
    expect(map.has("a")).toBe(true);
    clock.advance(20);
    map.renew("a", 100);
    expect(map.has("a")).toBe(false);
  });

  it("does not keep what nobody asks for again", () => {
    const clock = new VirtualClock();
    const map = new ExpiringMap<number>(clock);
    for (let index = 0; index < 10_000; index += 1) {
      map.set(`k-${index}`, index, 1000);
      clock.advance(100);
    }
    // Entries of one life span and of one sweep period.
    expect(map.size).toBeLessThan(700);
  });
});
