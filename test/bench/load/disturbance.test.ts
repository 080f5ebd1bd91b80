import { expect, it } from "vitest";
import { describeDisturbance, starvedBetween } from "./disturbance.ts";

const before = { cpuMs: 100, ranMs: 80, queuedMs: 7 };

it("counts only the time for which other programs had the server's processor", () => {
  const busyAlone = { cpuMs: 700, ranMs: 580, queuedMs: 107 }; // its own threads ran 100 ms meanwhile
  expect(starvedBetween(before, busyAlone)).toBe(0);
  expect(starvedBetween(before, { ...busyAlone, queuedMs: 357 })).toBe(250);
});

it("warns of a machine that was not quiet, and of callers who were late", () => {
  expect(describeDisturbance({ starvedMs: 60, callersLateMs: 3 }, 8000)).toBeUndefined();
  expect(describeDisturbance({ starvedMs: 250.4, callersLateMs: 31 }, 8000)).toBe(
    "Not quiet: the server waited 250 ms for a processor that other programs had, and the callers were late by up to 31 ms.",
  );
});
