import { expect, it } from "vitest";
import { VirtualClock } from "./virtual-clock.ts";
import { VoiceError } from "./errors.ts";
import { endedInTime, unlessLate, withinTime } from "./within-time.ts";

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

it("ends work that takes too long, or that is not wanted any more", async () => {
  const clock = new VirtualClock();
  const wanted = new AbortController();
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  const late = (): VoiceError => new VoiceError("upstream_timeout", "it took too long");
  expect(await endedInTime(clock, 100, wanted.signal, async () => "answer", late)).toBe("answer");
  const ended = endedInTime(clock, 100, wanted.signal, untilAborted, late);
  clock.advance(100);
  await expect(ended).rejects.toThrow("it took too long");
  const dropped = endedInTime(clock, 100, wanted.signal, untilAborted, late);
  wanted.abort(new Error("not wanted"));
  await expect(dropped).rejects.toThrow("not wanted");
  expect(clock.pendingTimers).toBe(0);
});
