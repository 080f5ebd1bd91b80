import { describe, expect, it } from "vitest";

import {
  agoInWords,
  causesFirst,
  checkInWords,
  connectionsInWords,
  failureInWords,
  readinessInWords,
  readyInWords,
  settingInWords,
  slownessInWords,
  titleOf,
  withoutReadiness,
} from "./describe-system.ts";

const check = (component: string, error: string | null = null) => ({
  component,
  status: error === null ? "healthy" : "unhealthy",
  check_time_ms: 3,
  details: error === null ? "works (local)" : null,
  error,
});
const pool = { ready: true, warm_pool_size: 2, warm_pool_target: 2, active_sessions: 0, warmup_failures: 0 };

describe("how the service is", () => {
  it.each([
    ["ready", [check("cache")], "The service is ready."],
    [
      "degraded",
      [check("comm_caller", "x"), check("recording_storage", "x")],
      "except for: phone calls and recordings.",
    ],
    ["not_ready", [check("cache", "x"), check("agents")], "No conversation can begin. What does not work: state."],
    ["asleep", [], "The service says of itself: asleep."],
  ])("is a sentence with its causes: %s", (status, checks, words) => {
    expect(readinessInWords({ status, checks })).toContain(words);
  });

  it("is not being asked for any more where the service did not answer", () => {
    expect(withoutReadiness([])).toBe("Asking…");
    expect(withoutReadiness(["The service does not answer."])).toMatch(/^Not known/);
  });

  it("begins with what does not work", () => {
    const checks = [check("agents"), check("cache", "no answer within 1000 ms")];
    const isHealthy = ({ status }: { readonly status: string }) => status === "healthy";
    expect(causesFirst(checks, isHealthy).map(({ component }) => component)).toEqual(["cache", "agents"]);
  });

  it("says what to do about what does not work, and only about that", () => {
    expect(checkInWords(check("cache", "no answer within 1000 ms"))).toEqual({
      state: "No answer within 1000 ms.",
      toDo: expect.stringContaining("See that Redis runs"),
    });
    expect(checkInWords(check("language_model"))).toEqual({ state: "Works (local).", toDo: undefined });
    expect(checkInWords(check("something_new", "it is broken"))).toEqual({ state: "It is broken.", toDo: undefined });
    expect(titleOf("something_new")).toBe("Something new");
  });

  it("mentions how long a check took only if that was long", () => {
    expect([3, 1200].map(slownessInWords)).toEqual([undefined, "took 1.2 s"]);
  });
});

describe("a host", () => {
  it.each([
    [{ browser: 1, media: 2, dashboard: 0 }, "1 browser and 2 phone calls"],
    [{ telephony: 1, dashboard: 3, other: 2 }, "1 telephony bridge, 3 watching pages and 2 other"],
    [{}, "none"],
  ])("has connections to: %j", (connections, words) => {
    expect(connectionsInWords(connections)).toBe(words);
  });

  it("says how many connections to speech are ready, and how many could not be opened", () => {
    expect(readyInWords(pool)).toBe("2 ready");
    expect(readyInWords({ ...pool, warm_pool_size: 1, warmup_failures: 3 })).toBe(
      "1 ready of 2 wanted; 3 could not be opened",
    );
    expect(readyInWords({ ...pool, warm_pool_size: 0, warm_pool_target: 0 })).toBe("none needed");
  });

  it("says what has failed, and how long ago", () => {
    expect(["upstream_timeout", "something_else"].map(failureInWords)).toEqual([
      "did not answer in time",
      "something else",
    ]);
    const began = "2026-01-01T00:00:00.000Z";
    const after = (minutes: number) => agoInWords(began, Date.parse(began) + minutes * 60_000);
    expect([0.5, 1, 59, 60, 2879, 2880].map(after)).toEqual([
      "less than a minute ago",
      "1 minute ago",
      "59 minutes ago",
      "1 hour ago",
      "47 hours ago",
      "2 days ago",
    ]);
  });
});

it.each([
  ["DEAD_AIR_MS", "8000", "8000 ms (8 s)"],
  ["BARGE_IN_THRESHOLD_MS", "250", "250 ms"],
  ["MAX_SESSION_DEFINITION_BYTES", "65536", "65536 bytes (64 KB)"],
  ["TTS_CACHE_MB", "64", "64 MB"],
  ["CACHE_HOST", "localhost", "localhost"],
  ["PORT", "8080", "8080"],
])("shows the unit of a setting: %s", (name, value, words) => {
  expect(settingInWords(name, value)).toBe(words);
});
