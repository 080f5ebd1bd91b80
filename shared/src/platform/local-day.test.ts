import { describe, expect, it, vi } from "vitest";
import { dayIn, dayStartIn, isTimeZone } from "./local-day.ts";

const lateInLondon = Date.UTC(2026, 2, 21, 23, 30);

describe("[LANG-6] the day somewhere", () => {
  it.each([
    ["UTC", "2026-03-21"],
    ["Europe/Berlin", "2026-03-22"],
    ["America/Los_Angeles", "2026-03-21"],
    ["Pacific/Kiritimati", "2026-03-22"],
  ])("in %s is %s", (zone, day) => {
    expect(dayIn(zone, lateInLondon)).toBe(day);
    expect(dayStartIn(zone, lateInLondon)).toBe(Date.parse(day));
  });

  it("changes at midnight", () => {
    const midnight = Date.UTC(2026, 2, 21, 18, 15); // in Kathmandu, which is 5:45 ahead
    const days = [-1, 0, 1, -1].map((ms) => dayIn("Asia/Kathmandu", midnight + ms));
    expect(days).toEqual(["2026-03-21", "2026-03-22", "2026-03-22", "2026-03-21"]);
  });

  it("is written by one format, in whatever letters its zone is named, because each is kept and takes 28 KB", () => {
    const formats = vi.spyOn(Intl, "DateTimeFormat");
    const days = ["Asia/Tokyo", "asia/tokyo", "ASIA/Tokyo"].map((zone) => dayIn(zone, lateInLondon));
    expect(days).toEqual(["2026-03-22", "2026-03-22", "2026-03-22"]);
    expect(formats).toHaveBeenCalledTimes(1);
    formats.mockRestore();
  });

  it("is asked of zones that there are", () => {
    expect(["Europe/Berlin", "UTC", "Europe/Bern", "Berlin", "+02:00", ""].filter(isTimeZone)).toEqual([
      "Europe/Berlin",
      "UTC",
    ]);
  });
});
