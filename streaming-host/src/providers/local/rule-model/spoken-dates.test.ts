import { describe, expect, it } from "vitest";
import { findDate } from "./spoken-dates.ts";

/** A Saturday. */
const today = Date.UTC(2026, 2, 21, 15);

describe("spoken dates", () => {
  it.each([
    ["today", "2026-03-21"],
    ["it happened yesterday", "2026-03-20"],
    ["the day before yesterday", "2026-03-19"],
    ["three days ago", "2026-03-18"],
    ["two weeks ago", "2026-03-07"],
    ["on monday", "2026-03-16"],
    ["last saturday", "2026-03-14"],
    ["next monday", "2026-03-23"],
    ["march third", "2026-03-03"],
    ["march the twenty first", "2026-03-21"],
    ["march twenty second", "2025-03-22"],
    ["the third of march", "2026-03-03"],
    ["december thirty first twenty twenty four", "2024-12-31"],
    ["march 3", "2026-03-03"],
    ["march 3rd 2026", "2026-03-03"],
    ["february thirtieth", undefined],
    ["nothing of the kind", undefined],
  ])("%s is %s", (text, iso) => {
    expect(findDate(text.split(" "), today)?.iso).toBe(iso);
  });
});
