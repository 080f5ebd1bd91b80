import type { HostHeartbeat, PoolStatus } from "@voice/shared/state/ports/host-registry";
import type { StatusBasis } from "@voice/shared/platform/status-basis";
import { describe, expect, it } from "vitest";
import { isWithoutTelephone, judgeProvider, summariseFleet } from "./fleet.ts";

const pool: PoolStatus = {
  ready: true,
  warmSize: 2,
  warmTarget: 4,
  activeSessions: 1,
  allocationsTotal: 10,
  allocationsWarm: 8,
  allocationsCold: 2,
  warmupCycles: 3,
  warmupFailures: 0,
};

function heartbeat(hostId: string, changes: Partial<HostHeartbeat> = {}): HostHeartbeat {
  return {
    hostId,
    version: "1.0.0",
    startedAtMs: 0,
    draining: false,
    ready: true,
    maxSessions: 10,
    sessions: { phone: 1, browser: 2, media: 0, telephony: 0 },
    connections: { media: 1, browser: 2, telephony: 0, dashboard: 3 },
    totals: { connected: 5, disconnected: 2 },
    eventLoop: { delayMs: 3, isOverloaded: false },
    pools: { stt: pool, tts: pool },
    mcp: { state: "disabled", servers: [] },
    providers: { recogniser: { name: "local", healthy: true } },
    ...changes,
  };
}

describe("the fleet", () => {
  it("is unavailable and empty without hosts", () => {
    const fleet = summariseFleet([]);
    expect(fleet).toMatchObject({ status: "unavailable", hostCount: 0, servingCount: 0, activeSessions: 0 });
    expect(fleet.mcp).toBe("disabled");
    expect(fleet.pools.stt.ready).toBe(false);
  });

  it("says whether speech is recognised by the host itself", () => {
    const cloud = { recogniser: { name: "azure", healthy: true } };
    expect(summariseFleet([heartbeat("a")]).hasLocalRecognition).toBe(true);
    expect(summariseFleet([heartbeat("a", { providers: cloud })]).hasLocalRecognition).toBe(false);
  });

  it("is its only host", () => {
    const fleet = summariseFleet([heartbeat("a")]);
    expect(fleet).toMatchObject({ status: "available", activeSessions: 3, connected: 5, disconnected: 2 });
    expect(fleet.pools.tts).toEqual(pool);
    expect(fleet.connections.dashboard).toBe(3);
  });

  it("adds up the figures of three hosts", () => {
    const fleet = summariseFleet([heartbeat("a"), heartbeat("b"), heartbeat("c", { draining: true })]);
    expect(fleet).toMatchObject({ status: "available", hostCount: 3, servingCount: 2, activeSessions: 9 });
    expect(fleet.pools.stt.allocationsTotal).toBe(30);
  });

  it("is degraded while every host drains, warms up, is full or has a provider down", () => {
    expect(summariseFleet([heartbeat("a", { draining: true })]).status).toBe("degraded");
    expect(summariseFleet([heartbeat("a", { ready: false })]).status).toBe("degraded");
    expect(summariseFleet([heartbeat("a", { maxSessions: 3 })]).status).toBe("degraded");
    const sick = { languageModel: { name: "cloud", healthy: false, error: "401" } };
    expect(summariseFleet([heartbeat("a", { providers: sick })]).status).toBe("degraded");
    expect(summariseFleet([heartbeat("a", { providers: sick }), heartbeat("b")]).status).toBe("available");
  });

  it("shows each tool server in its worst state on any host", () => {
    const state = (mcp: HostHeartbeat["mcp"]["state"]) => ({ mcp: { state: mcp, servers: [] } });
    expect(summariseFleet([heartbeat("a", state("connected")), heartbeat("b")]).mcp).toBe("connected");
    expect(summariseFleet([heartbeat("a", state("connected")), heartbeat("b", state("failed"))]).mcp).toBe("failed");
  });
});

describe("a kind of provider", () => {
  it("works when one host that takes sessions says so", () => {
    const sick = heartbeat("a", { providers: { recogniser: { name: "cloud", healthy: false, error: "quota" } } });
    expect(judgeProvider([sick, heartbeat("b")], "recogniser")).toEqual({
      healthy: true,
      details: "works on 1 of 2 hosts (local)",
    });
  });

  it("[OPS-30] works only where a host says that it has answered; else it can be reached, or has not been asked", () => {
    const known = (basis: StatusBasis) => ({ providers: { languageModel: { name: "openai", healthy: true, basis } } });
    const details = (...bases: StatusBasis[]) =>
      judgeProvider(
        bases.map((basis, index) => heartbeat(`host-${index}`, known(basis))),
        "languageModel",
      );
    expect(details("answered")).toEqual({ healthy: true, details: "works (openai)" });
    expect(details("reached", "answered")).toEqual({ healthy: true, details: "works on 2 of 2 hosts (openai)" });
    expect(details("reached")).toEqual({
      healthy: true,
      details: "can be reached, and no conversation has needed it lately (openai)",
    });
    expect(details("not-asked")).toEqual({ healthy: true, details: "has not been asked yet (openai)" });
  });

  it("is not counted where there is one host", () => {
    expect(judgeProvider([heartbeat("a")], "recogniser")).toEqual({ healthy: true, details: "works (local)" });
  });

  it("[MODEL-11] says what has been learnt from refusals, on any host", () => {
    const learnt = (...needs: string[]) => ({
      providers: { languageModel: { name: "openai", healthy: true, learnt: needs } },
    });
    const hosts = [heartbeat("a", learnt("gpt: top_p is left out")), heartbeat("b", learnt("gpt: top_p is left out"))];
    expect(judgeProvider(hosts, "languageModel")).toEqual({
      healthy: true,
      details: "works on 2 of 2 hosts (openai); learnt from refusals: gpt: top_p is left out",
    });
  });

  it("does not work without hosts, with draining hosts only, or where all report it down", () => {
    expect(judgeProvider([], "recogniser")).toEqual({ healthy: false, error: "no streaming host is alive" });
    expect(judgeProvider([heartbeat("a", { draining: true })], "recogniser").healthy).toBe(false);
    const sick = heartbeat("a", { providers: { recogniser: { name: "cloud", healthy: false, error: "quota" } } });
    expect(judgeProvider([sick], "recogniser")).toEqual({ healthy: false, error: "quota" });
  });
});

describe("a fleet's telephone", () => {
  const callControl = { name: "azure", healthy: false, error: "401" };

  it.each([
    ["is missing where hosts serve and none places calls", [heartbeat("a"), heartbeat("b")], true],
    [
      "is missing where the only host that has one is going away",
      [heartbeat("a"), heartbeat("b", { draining: true, providers: { callControl } })],
      true,
    ],
    [
      "is there where one host has it, even if it fails just now",
      [heartbeat("a"), heartbeat("b", { providers: { callControl } })],
      false,
    ],
    ["may still come while no host serves", [heartbeat("a", { ready: false })], false],
  ])("%s", (_name, hosts, isMissing) => {
    expect(isWithoutTelephone(hosts)).toBe(isMissing);
  });
});
