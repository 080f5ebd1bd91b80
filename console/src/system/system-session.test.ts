import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { createSystemApi } from "../api/system-api.ts";
import type { Readiness, SystemInfo } from "../api/system-api.ts";
import { ApiProblem } from "../api/api-problem.ts";
import { SystemSession } from "./system-session.ts";

const readiness: Readiness = {
  status: "not_ready",
  checks: [{ component: "cache", status: "unhealthy", check_time_ms: 3, details: null, error: "does not answer" }],
};
const system: SystemInfo = { version: "1.0.0", commit: "abc", parts: [], hosts: [], routes: [], settings: [] };

function rig() {
  const clock = new VirtualClock();
  const asked: string[] = [];
  let isAway = false;
  const answer = <T>(what: string, value: T): Promise<T> => {
    asked.push(what);
    return isAway ? Promise.reject(new TypeError("fetch failed")) : Promise.resolve(value);
  };
  const session = new SystemSession(
    { readiness: () => answer("readiness", readiness), system: () => answer("system", system), audit: async () => [] },
    clock,
  );
  return { clock, asked, session, goAway: () => void (isAway = true) };
}

describe("the state of the service", () => {
  it("is read every five seconds until nobody looks", async () => {
    const { clock, asked, session } = rig();
    const stop = session.watch(true);
    await clock.advanceAsync(1);
    await clock.advanceAsync(5000);
    expect(asked).toEqual(["readiness", "system", "readiness", "system"]);
    stop();
    await clock.advanceAsync(20_000, 1000);
    expect(asked).toHaveLength(4);
  });

  it("leaves out what only operators may see", async () => {
    const { clock, asked, session } = rig();
    session.watch(false);
    await clock.advanceAsync(1);
    expect(asked).toEqual(["readiness"]);
    expect(session.store.get()).toMatchObject({ readiness, system: undefined });
  });

  it("keeps what was known while the service is away, and says so once", async () => {
    const { clock, session, goAway } = rig();
    session.watch(true);
    await clock.advanceAsync(1);
    goAway();
    await clock.advanceAsync(5000);
    await clock.advanceAsync(1);
    expect(session.store.get()).toEqual({
      readiness: undefined,
      system,
      problems: [expect.stringContaining("does not answer")],
    });
  });
});

it("reads why a service is not ready from what it refuses with", async () => {
  const api = createSystemApi({
    send: () => Promise.reject(new ApiProblem(503, readiness)),
    json: () => Promise.reject(new ApiProblem(503, readiness)),
  });
  expect(await api.readiness(new AbortController().signal)).toEqual(readiness);
});
