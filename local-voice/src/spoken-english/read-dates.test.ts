import { describe, expect, it } from "vitest";
import { findDate, findDates } from "./read-dates.ts";

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
    ["day before yesterday", "2026-03-19"],
    ["a week ago", "2026-03-14"],
    ["last night", "2026-03-20"],
    ["this morning", "2026-03-21"],
    ["on the fourteenth", "2026-03-14"],
    ["on the 22nd", "2026-02-22"],
    ["3 15 2026", "2026-03-15"],
    ["2026 03 15", "2026-03-15"],
    ["13 15 2026", undefined],
    ["the second one", undefined],
    ["february thirtieth", undefined],
    ["nothing of the kind", undefined],
  ])("%s is %s", (text, iso) => {
    expect(findDate(text.split(" "), today)?.iso).toBe(iso);
  });

  it.each([
    ["on monday", "2026-03-23"],
    ["saturday", "2026-03-28"],
    ["last monday", "2026-03-16"],
    ["next tuesday", "2026-03-24"],
    ["april third", "2026-04-03"],
    ["march third", "2027-03-03"],
    ["march the twenty first", "2026-03-21"],
    ["on the twenty second", "2026-03-22"],
    ["on the fourteenth", "2026-04-14"],
    ["march third twenty twenty six", "2026-03-03"],
    ["the day after tomorrow", "2026-03-23"],
    ["in three days", "2026-03-24"],
    ["in a week", "2026-03-28"],
    ["yesterday", "2026-03-20"],
  ])("[MAKER-7] %s is %s for an agent that makes appointments", (text, iso) => {
    expect(findDates(text.split(" "), today, "future")[0]?.iso).toBe(iso);
  });

  it("finds every date of a sentence, each once", () => {
    const runs = findDates("not on monday on march third two thousand twenty six".split(" "), today);
    expect(runs.map(({ iso }) => iso)).toEqual(["2026-03-16", "2026-03-03"]);
  });
});
