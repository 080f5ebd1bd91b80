import { describe, expect, it } from "vitest";

import { readDay, timesOf } from "./days.ts";

describe("days", () => {
  it("stand for the time from the beginning of the first to the end of the last, where the reader is", () => {
    const { from, to } = timesOf({ from: "2026-02-28", to: "2026-02-28" });
    expect(from).toBe(new Date(2026, 1, 28).toISOString());
    expect(to).toBe(new Date(2026, 2, 1).toISOString());
    expect(timesOf({})).toEqual({ from: undefined, to: undefined });
  });

  it("are read from a link only if they are days", () => {
    expect(["2026-02-28", "yesterday", "", "2026-2-8", null].map(readDay)).toEqual([
      "2026-02-28",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
