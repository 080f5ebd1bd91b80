import { describe, expect, it } from "vitest";

import { decideReconnect, patienceMs } from "./reconnect-policy.ts";

const noStatus = 1006;

function after(code: number, attempt: number, random: number, times: { downMs?: number; notBeforeMs?: number } = {}) {
  return decideReconnect({ code, attempt, patienceMs, downMs: 0, ...times }, random);
}

describe("the reconnect policy", () => {
  it("doubles the wait up to five seconds", () => {
    const delays = Array.from({ length: 7 }, (_, attempt) => after(noStatus, attempt, 0.999_999));
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000].map((delayMs) => ({ kind: "retry", delayMs })));
  });

  it("spreads clients over the second half of the wait", () => {
    expect(after(noStatus, 3, 0)).toEqual({ kind: "retry", delayMs: 1000 });
    expect(after(noStatus, 3, 0.5)).toEqual({ kind: "retry", delayMs: 1500 });
  });

  it.each([1001, 1006, 1011, 1012, 1013, 4408])("tries again after %d", (code) => {
    expect(after(code, 0, 0).kind).toBe("retry");
  });

  it("[ACCESS-21d] asks for another ticket after the token of the last one has expired", () => {
    expect(after(4401, 0, 0)).toEqual({ kind: "retry", delayMs: 1000 });
  });

  it.each([
    [1000, "ended"],
    [1008, "refused"],
    [1009, "refused"],
    [4403, "refused"],
  ])("does not insist after %d", (code, reason) => {
    expect(after(code, 0, 0)).toEqual({ kind: "give-up", reason });
  });

  it("leaves it to a person once the conversation cannot be resumed any more [HS-11a]", () => {
    expect(after(noStatus, 30, 0, { downMs: patienceMs - 1 }).kind).toBe("retry");
    expect(after(noStatus, 30, 0, { downMs: patienceMs })).toEqual({ kind: "give-up", reason: "unreachable" });
  });

  it("waits for as long as the service asks, where that is no longer than a person waits", () => {
    expect(after(noStatus, 0, 0, { notBeforeMs: 10_000 })).toEqual({ kind: "retry", delayMs: 10_000 });
    expect(after(noStatus, 6, 0, { notBeforeMs: 1000 })).toEqual({ kind: "retry", delayMs: 2500 });
    expect(after(noStatus, 0, 0, { notBeforeMs: 1_800_000 })).toEqual({ kind: "give-up", reason: "unreachable" });
  });
});
