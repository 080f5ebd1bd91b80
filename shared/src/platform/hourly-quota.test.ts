import { describe, expect, it } from "vitest";
import { HourlyQuota } from "./hourly-quota.ts";
import { VirtualClock } from "./virtual-clock.ts";

describe("an hourly quota", () => {
  it("refuses a client beyond its limit, says for how long, and does not count the others with it", () => {
    const clock = new VirtualClock();
    const quota = new HourlyQuota(() => 2, clock);
    quota.take("alice");
    clock.advance(600_000);
    expect(quota.take("alice")).toBeUndefined();
    expect(quota.take("alice")).toEqual({ retryAfterMs: 3_000_000 });
    expect(quota.take("bob")).toBeUndefined();
  });

  it("begins anew after an hour", () => {
    const clock = new VirtualClock();
    const quota = new HourlyQuota(() => 1, clock);
    quota.take("alice");
    clock.advance(3_600_000);
    expect(quota.take("alice")).toBeUndefined();
  });

  it("is used up for as long as somebody else says who has counted", () => {
    const clock = new VirtualClock();
    const quota = new HourlyQuota(() => 10, clock);
    quota.useUp("alice", 60_000);
    clock.advance(59_000);
    expect(quota.take("alice")).toEqual({ retryAfterMs: 1000 });
    clock.advance(1000);
    expect(quota.take("alice")).toBeUndefined();
  });

  it("forgets the client that came first rather than fill the memory", () => {
    const quota = new HourlyQuota(() => 1, new VirtualClock());
    for (let client = 0; client <= 10_000; client += 1) quota.take(`client-${client}`);
    expect(quota.take("client-0")).toBeUndefined();
    expect(quota.take("client-10000")).toBeDefined();
  });
});
