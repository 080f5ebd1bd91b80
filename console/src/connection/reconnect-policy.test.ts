import { describe, expect, it } from "vitest";

import { decideReconnect, maxAttempts } from "./reconnect-policy.ts";

const noStatus = 1006;

describe("the reconnect policy", () => {
  it("doubles the wait up to five seconds", () => {
    const delays = Array.from({ length: 7 }, (_, attempt) => decideReconnect(noStatus, attempt, 0.999_999));
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000].map((delayMs) => ({ kind: "retry", delayMs })));
  });

  it("spreads clients over the second half of the wait", () => {
    expect(decideReconnect(noStatus, 3, 0)).toEqual({ kind: "retry", delayMs: 1000 });
    expect(decideReconnect(noStatus, 3, 0.5)).toEqual({ kind: "retry", delayMs: 1500 });
  });

  it.each([1001, 1006, 1011, 1012, 1013])("tries again after %d", (code) => {
    expect(decideReconnect(code, 0, 0).kind).toBe("retry");
  });

  it("[ACCESS-21] asks for another ticket after the token of the last one has expired", () => {
    expect(decideReconnect(4401, 0, 0)).toEqual({ kind: "retry", delayMs: 1000 });
  });

  it.each([
    [1000, "ended"],
    [1008, "refused"],
    [1009, "refused"],
    [4403, "refused"],
  ])("does not insist after %d", (code, reason) => {
    expect(decideReconnect(code, 0, 0)).toEqual({ kind: "give-up", reason });
  });

  it("leaves it to a person after half a minute", () => {
    expect(decideReconnect(noStatus, maxAttempts, 0)).toEqual({ kind: "give-up", reason: "unreachable" });
  });
});
