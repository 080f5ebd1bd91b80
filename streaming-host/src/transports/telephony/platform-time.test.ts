import { describe, expect, it } from "vitest";
import { PlatformTime } from "./platform-time.ts";

describe("the platform's time", () => {
  it("[HOOK-14a] is ours where nothing was left out", () => {
    const time = new PlatformTime();
    time.hear(1000);
    expect(time.of(700)).toBe(700);
  });

  it("[HOOK-14a] has what was left out before the words, and not what was left out after them", () => {
    const time = new PlatformTime();
    time.miss(500);
    time.hear(1000);
    time.miss(2000);
    time.miss(1000);
    time.hear(1000);
    expect([0, 999, 1000, 1500].map((ms) => time.of(ms))).toEqual([500, 1499, 4500, 5000]);
  });
});
