import { describe, expect, it } from "vitest";
import { VoiceError } from "../platform/errors.ts";
import { silentLogger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "./memory/create-memory-state.ts";
import type { CounterStore } from "./records/counter-store.ts";
import { SharedQuota } from "./shared-quota.ts";

function quotas(limit: number) {
  const clock = new VirtualClock();
  const { counters } = createMemoryState({ clock });
  let asked = 0;
  let isAway = false;
  const lines: string[] = [];
  const note = (_fields: object, message: string): void => void lines.push(message);
  const logger = { ...silentLogger, info: note, warn: note };
  const counted: Pick<CounterStore, "add"> = {
    add(key, lifeSpanMs) {
      asked += 1;
      return isAway ? Promise.reject(new VoiceError("cache_connection_failed", "away")) : counters.add(key, lifeSpanMs);
    },
  };
  const host = (name = "sessions") =>
    new SharedQuota({ name, problem: "Too many.", limit: () => limit, counters: counted, clock, logger });
  return { clock, host, lines, asked: () => asked, goAway: () => (isAway = true), comeBack: () => (isAway = false) };
}

describe("a quota", () => {
  it("[ACCESS-14a] is one for all hosts, and one for each client and each thing that is counted", async () => {
    const { clock, host } = quotas(2);
    const [one, other] = [host(), host()];
    await one.take("alice");
    clock.advance(600_000);
    expect(await other.take("alice")).toBeUndefined();
    expect(await one.take("alice")).toEqual({ retryAfterMs: 3_000_000 });
    expect(await other.take("bob")).toBeUndefined();
    expect(await host("resets").take("alice")).toBeUndefined();
    clock.advance(3_000_000);
    expect(await one.take("alice")).toBeUndefined();
  });

  it("does not ask the store about a client whose hour is used up", async () => {
    const { host, asked } = quotas(1);
    const [one, other] = [host(), host()];
    await one.take("alice");
    for (let again = 0; again < 5; again += 1) expect(await other.take("alice")).toBeDefined();
    expect(asked()).toBe(2);
  });

  it("[ACCESS-14b] is counted by each process for itself while the store is away", async () => {
    const { host, goAway } = quotas(2);
    const [one, other] = [host(), host()];
    goAway();
    for (const quota of [one, other]) {
      expect([await quota.take("alice"), await quota.take("alice")]).toEqual([undefined, undefined]);
      expect(await quota.take("alice")).toEqual({ retryAfterMs: 3_600_000 });
    }
  });

  it("[ACCESS-14b] says once that it is counted by each process for itself, and once that it is not any more", async () => {
    const { host, lines, goAway, comeBack } = quotas(10);
    const quota = host();
    goAway();
    for (const client of ["alice", "bob", "carol"]) await quota.take(client);
    expect(lines).toEqual(["a quota is counted by this process alone"]);
    comeBack();
    for (const client of ["alice", "bob"]) await quota.take(client);
    expect(lines).toEqual(["a quota is counted by this process alone", "a quota is counted by all processes again"]);
  });

  it("tells who answers with an error how long the client has to wait", async () => {
    const quota = quotas(1).host();
    await quota.require("alice");
    await expect(quota.require("alice")).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 3_600_000 });
  });
});
