import { describe, expect, it } from "vitest";
import { HostAttendance, looksUntilLost } from "./host-attendance.ts";

/** `a` is the host that looks. */
function attendance(...looks: readonly (readonly string[])[]): HostAttendance {
  const noted = new HostAttendance("a");
  for (const present of looks) noted.note(present);
  return noted;
}

const missed = Array.from({ length: looksUntilLost }, () => ["a"]);

describe("the attendance of hosts", () => {
  it("[HS-11d] counts a host as lost that is missing in four successive looks, and not before", () => {
    expect(attendance(["a", "b"], ...missed.slice(1)).isLost("b")).toBe(false);
    expect(attendance(["a", "b"], ...missed).isLost("b")).toBe(true);
  });

  it("[HS-11d] counts a host as alive that reports again, even after it was lost", () => {
    expect(attendance(["a", "b"], ...missed.slice(1), ["a", "b"], ...missed.slice(1)).isLost("b")).toBe(false);
    expect(attendance(["a", "b"], ...missed, ["a", "b"]).isLost("b")).toBe(false);
  });

  it("[HS-11d] knows of no lost host until it has looked often enough", () => {
    expect(attendance(...missed.slice(1)).isLost("before-us")).toBe(false);
    expect(attendance(...missed).isLost("before-us")).toBe(true);
  });

  it("[HS-11d] never counts the host itself as lost", () => {
    expect(attendance([], [], [], []).isLost("a")).toBe(false);
  });

  it("[HS-11d] starts to count again after a look that failed", () => {
    const noted = attendance(["a", "b"], ...missed.slice(1));
    noted.startOver();
    noted.note(["a"]);
    expect(noted.isLost("b")).toBe(false);
    for (const present of missed.slice(1)) noted.note(present);
    expect(noted.isLost("b")).toBe(true);
  });

  it("[HS-11d] says once that somebody may have been lost: at first, after each loss, and after a failed look", () => {
    const noted = attendance(...missed);
    expect(noted.hasNewlyLost).toBe(true);
    noted.settle();
    noted.note(["a", "b"]);
    expect(noted.hasNewlyLost).toBe(false);
    for (const present of missed) noted.note(present);
    expect(noted.hasNewlyLost).toBe(true);
    noted.settle();
    noted.startOver();
    for (const present of missed) noted.note(present);
    expect(noted.hasNewlyLost).toBe(true);
  });
});
