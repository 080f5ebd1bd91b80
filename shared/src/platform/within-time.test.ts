import { expect, it } from "vitest";
import { VirtualClock } from "./virtual-clock.ts";
import { unlessLate, withinTime } from "./within-time.ts";

const never = new Promise<string>(() => undefined);

it("waits for what comes in time, and leaves no timer behind", async () => {
  const clock = new VirtualClock();
  expect(await withinTime(clock, 100, async () => "answer")).toBe("answer");
  expect(await unlessLate(clock, 100, Promise.resolve("answer"))).toBe("answer");
  await expect(withinTime(clock, 100, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(unlessLate(clock, 100, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(clock.pendingTimers).toBe(0);
});

it("waits no longer than the limit", async () => {
  const clock = new VirtualClock();
  const rejected = withinTime(clock, 100, () => never);
  const resolved = unlessLate(clock, 100, never);
  clock.advance(100);
  await expect(rejected).rejects.toMatchObject({ code: "upstream_timeout", message: "no answer within 100 ms" });
  expect(await resolved).toBeUndefined();
});
