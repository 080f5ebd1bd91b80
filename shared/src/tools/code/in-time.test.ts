import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTime } from "./in-time.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("says what somebody's code was doing when it hangs, so that no start waits without a word", async () => {
  const failed = inTime(() => new Promise(() => undefined), 10_000, "loading").catch(String);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await failed).toContain("it was still loading after 10 s");
});

it("leaves no timer behind, whether the code is ready or fails, also before it has returned anything", async () => {
  const failing = (): never => {
    throw new Error("MY_KEY is not set");
  };
  expect(await inTime(() => 7, 10_000, "loading")).toBe(7);
  await expect(inTime(failing, 10_000, "loading")).rejects.toThrow("MY_KEY is not set");
  expect(vi.getTimerCount()).toBe(0);
});
