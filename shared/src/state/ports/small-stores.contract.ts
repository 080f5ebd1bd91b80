/** Profiles, media sessions, tickets, nonces, files and hosts. */
import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import { heartbeatTtlMs, type HostHeartbeat } from "./host-registry.ts";
import type { NewMediaSession } from "./media-session-store.ts";
import type { State } from "./state.ts";
import { ticketLifeSpanMs, type TicketGrant } from "../records/ticket-store.ts";

export function newMediaSession(sessionId: string, createdAtMs: number): NewMediaSession {
  return {
    sessionId,
    callConnectionId: "k-1",
    sampleRateHz: 16_000,
    channels: 1,
    audioFormat: "pcm_16",
    chunkSizeBytes: 1024,
    transcriptionEnabled: true,
    vadEnabled: true,
    status: "active",
    connected: false,
    createdAtMs,
  };
}

export function heartbeat(hostId: string, draining = false): HostHeartbeat {
  const pool = {
    ready: true,
    warmSize: 4,
    warmTarget: 4,
    activeSessions: 1,
    allocationsTotal: 9,
    allocationsWarm: 8,
    allocationsCold: 1,
    warmupCycles: 2,
    warmupFailures: 0,
  };
  return {
    hostId,
    version: "1.0.0",
    startedAtMs: 1_700_000_000_000,
    draining,
    ready: true,
    maxSessions: 300,
    sessions: { phone: 1, browser: 2, media: 0, telephony: 0 },
    connections: { media: 1, browser: 2, telephony: 0, dashboard: 3 },
    totals: { connected: 12, disconnected: 6 },
    eventLoop: { delayMs: 3, isOverloaded: false },
    pools: { stt: pool, tts: { ...pool, ready: false } },
    mcp: { state: "connected", servers: [{ name: "files", state: "connected", toolsCount: 3 }] },
    providers: {
      recogniser: { name: "local", healthy: true },
      languageModel: { name: "openai", healthy: false, error: "429" },
    },
  };
}

const watchAll: TicketGrant = { subject: "x", isOperator: true, purpose: { type: "watch" } };

export function describeSmallStores(open: OpenState): void {
  describe("profile store", () => {
    it("keeps a profile for its life span", async () => {
      const { state, nowMs, elapse, lasting } = await opened(open);
      const created = await state.profiles.create({
        profileId: "p-1",
        document: { name: "Ada", accounts: [{ id: 1 }] },
        sessionId: "s-1",
        lifeSpanMs: lasting(1000),
      });
      expect(created.expiresAtMs - created.createdAtMs).toBe(lasting(1000));
      expect(Math.abs(created.createdAtMs - nowMs())).toBeLessThan(2000);
      expect(await state.profiles.get("p-1")).toEqual(created);
      await elapse(1200);
      expect(await state.profiles.get("p-1")).toBeUndefined();
    });

    it("gives a day to a profile that does not say how long, and refuses an id that is taken", async () => {
      const { state } = await opened(open);
      const created = await state.profiles.create({ profileId: "p-1", document: {} });
      expect(created.expiresAtMs - created.createdAtMs).toBe(24 * 60 * 60 * 1000);
      const again = state.profiles.create({ profileId: "p-1", document: { other: true } });
      await expect(again).rejects.toMatchObject({ code: "conflict" });
      expect(await state.profiles.get("p-1")).toMatchObject({ document: {} });
    });
  });

  describe("profile store, written to", () => {
    it("replaces the document at the version that was read, and keeps the life span", async () => {
      const { state, elapse, lasting } = await opened(open);
      const lifeSpanMs = lasting(1500);
      const created = await state.profiles.create({ profileId: "p-1", document: { card: "open" }, lifeSpanMs });
      const written = await state.profiles.update("p-1", created.version, { card: "blocked" });
      expect(written).toEqual({ ...created, document: { card: "blocked" }, version: created.version + 1 });
      expect(await state.profiles.get("p-1")).toEqual(written);
      await elapse(1700);
      expect(await state.profiles.get("p-1")).toBeUndefined();
    });

    it("lets one of two writers of the same version win, and refuses a profile that is gone", async () => {
      const { state } = await opened(open);
      const { version } = await state.profiles.create({ profileId: "p-1", document: {} });
      const writes = await Promise.allSettled(
        [1, 2].map((writer) => state.profiles.update("p-1", version, { writer })),
      );
      expect(writes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      await expect(state.profiles.update("p-1", version, {})).rejects.toMatchObject({ code: "conflict" });
      await expect(state.profiles.update("p-9", 1, {})).rejects.toMatchObject({ code: "not_found" });
    });
  });

  describe("media session store", () => {
    it("gives one of two sockets the session", async () => {
      const { state, nowMs } = await opened(open);
      const created = await state.mediaSessions.create(newMediaSession("m-1", nowMs()));
      expect(created).toEqual({ ...newMediaSession("m-1", nowMs()), createdAtMs: created.createdAtMs, version: 1 });
      const claims = await Promise.allSettled(
        ["h-1", "h-2"].map((hostId) => state.mediaSessions.update("m-1", 1, { connected: true, hostId })),
      );
      expect(claims.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect(await state.mediaSessions.get("m-1")).toMatchObject({ connected: true, version: 2 });
    });

    it("tells an id that expired from one that never was, and renews with every write", async () => {
      const { state, nowMs, elapse } = await opened(open, { mediaSessionMs: 2000 });
      await state.mediaSessions.create(newMediaSession("m-1", nowMs()));
      await elapse(1200);
      await state.mediaSessions.update("m-1", 1, { connected: true, hostId: "h-1" });
      await elapse(1200);
      expect(await state.mediaSessions.get("m-1")).toMatchObject({ hostId: "h-1" });
      await elapse(2200);
      expect(await state.mediaSessions.get("m-1")).toBe("expired");
      expect(await state.mediaSessions.get("m-2")).toBe("unknown");
      const late = state.mediaSessions.update("m-1", 2, { status: "ended" });
      await expect(late).rejects.toMatchObject({ code: "session_expired" });
      const unknown = state.mediaSessions.update("m-2", 1, { status: "ended" });
      await expect(unknown).rejects.toMatchObject({ code: "not_found" });
    });

    it("refuses an id that is taken", async () => {
      const { state, nowMs } = await opened(open);
      await state.mediaSessions.create(newMediaSession("m-1", nowMs()));
      const again = state.mediaSessions.create(newMediaSession("m-1", nowMs()));
      await expect(again).rejects.toMatchObject({ code: "conflict" });
    });
  });

  describe("ticket store", () => {
    it("gives the grant to exactly one of many simultaneous bearers", async () => {
      const { state, nowMs } = await opened(open);
      const purpose = { type: "converse", sessionId: "s-1" } as const;
      const grant = { subject: "user-1", isOperator: false, tokenExpiresAtMs: 1_900_000_000_000, purpose };
      const { ticket, expiresAtMs } = await state.tickets.create(grant);
      expect(Math.abs(expiresAtMs - nowMs() - ticketLifeSpanMs)).toBeLessThan(2000);
      const results = await Promise.all(Array.from({ length: 10 }, () => state.tickets.consume(ticket)));
      expect(results.filter((result) => result !== undefined)).toEqual([grant]);
    });

    it("knows nothing of a ticket it did not issue", async () => {
      const { state } = await opened(open);
      expect(await state.tickets.consume("ticket-forged")).toBeUndefined();
    });

    it("gives back a grant to watch everything, of an operator", async () => {
      const { state } = await opened(open);
      const { ticket } = await state.tickets.create(watchAll);
      expect(await state.tickets.consume(ticket)).toEqual(watchAll);
    });

    it("never issues the same ticket twice", async () => {
      const { state } = await opened(open);
      const tickets = await Promise.all(Array.from({ length: 50 }, () => state.tickets.create(watchAll)));
      expect(new Set(tickets.map(({ ticket }) => ticket)).size).toBe(50);
    });
  });

  describe("counter store", () => {
    const countOf = async (state: State, key: string, lifeSpanMs = 60_000): Promise<number> =>
      (await state.counters.add(key, lifeSpanMs)).count;

    it("[ACCESS-12d] gives each of many simultaneous tries a number of its own, for each key", async () => {
      const { state } = await opened(open);
      const numbers = await Promise.all(Array.from({ length: 10 }, () => countOf(state, "identity:p-1")));
      expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await countOf(state, "identity:p-2")).toBe(1);
      expect(await countOf(state, "code:p-1")).toBe(1);
      await state.counters.clear("identity:p-1");
      expect(await countOf(state, "identity:p-1")).toBe(1);
    });

    it("forgets a count when its first is old, whatever came after, and says when that will be", async () => {
      const { state, elapse, lasting } = await opened(open);
      await state.counters.add("k", lasting(2000));
      await elapse(1000);
      const second = await state.counters.add("k", lasting(2000));
      expect(second.count).toBe(2);
      expect(second.endsInMs).toBeGreaterThan(0);
      expect(second.endsInMs).toBeLessThanOrEqual(lasting(1000));
      await elapse(1100);
      expect(await countOf(state, "k", lasting(2000))).toBe(1);
    });

    it("[PLACE-6] lets no more hold a key than its limit, however many come at once, and those who hold it again", async () => {
      const { state } = await opened(open);
      const hold = (holder: string, key = "k") => state.counters.hold(key, holder, { limit: 3, forMs: 60_000 });
      const held = await Promise.all(Array.from({ length: 12 }, (_, index) => hold(`call-${index}`)));
      expect(held.filter(Boolean)).toHaveLength(3);
      const [first = "", ...others] = await state.counters.holders("k");
      expect(others).toHaveLength(2);
      expect(await hold(first)).toBe(true);
      expect(await hold("late")).toBe(false);
      expect(await hold("late", "another")).toBe(true);
      await state.counters.release("k", [first]);
      expect(await hold("late")).toBe(true);
      expect(await state.counters.holders("k")).toHaveLength(3);
    });

    it("forgets a holder that is not released", async () => {
      const { state, elapse, lasting } = await opened(open);
      const bounds = { limit: 1, forMs: lasting(1000) };
      expect(await state.counters.hold("k", "a", bounds)).toBe(true);
      expect(await state.counters.hold("k", "b", bounds)).toBe(false);
      await elapse(1200);
      expect(await state.counters.holders("k")).toEqual([]);
      expect(await state.counters.hold("k", "b", bounds)).toBe(true);
    });

    it("[PLACE-6] forgets a holder when its time is over, although others have the key for longer", async () => {
      const { state, elapse, lasting } = await opened(open);
      const hold = (holder: string, forMs: number) => state.counters.hold("k", holder, { limit: 2, forMs });
      expect([await hold("short", lasting(500)), await hold("long", 60_000)]).toEqual([true, true]);
      await elapse(600);
      expect(await state.counters.holders("k")).toEqual(["long"]);
      expect(await hold("next", 60_000)).toBe(true);
    });
  });

  describe("nonce store", () => {
    it("lets exactly one of many simultaneous bearers have a nonce", async () => {
      const { state } = await opened(open);
      const claims = await Promise.all(Array.from({ length: 10 }, () => state.nonces.claim("nonce-1", 60_000)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await state.nonces.claim("nonce-2", 60_000)).toBe(true);
    });
  });

  describe("idempotency store", () => {
    const first = { fingerprint: "a wish", resultId: "call-1" };
    const second = { fingerprint: "another wish", resultId: "call-2" };

    it("gives everybody who comes under one key the request that came first, until its life is over", async () => {
      const { state, elapse, lasting } = await opened(open);
      expect(await state.keyedRequests.find("key-1")).toBeUndefined();
      expect(await state.keyedRequests.claim("key-1", first, lasting(1000))).toEqual(first);
      expect(await state.keyedRequests.claim("key-1", second, lasting(1000))).toEqual(first);
      expect(await state.keyedRequests.find("key-1")).toEqual(first);
      expect(await state.keyedRequests.claim("key-2", second, lasting(1000))).toEqual(second);
      await elapse(1050);
      expect(await state.keyedRequests.find("key-1")).toBeUndefined();
    });

    it("has one request win of many that come at once", async () => {
      const { state } = await opened(open);
      const claims = Array.from({ length: 10 }, (_, index) =>
        state.keyedRequests.claim("key-1", { fingerprint: "a wish", resultId: `call-${index}` }, 60_000),
      );
      expect(new Set((await Promise.all(claims)).map(({ resultId }) => resultId)).size).toBe(1);
    });
  });

  describe.each(["announcements", "spokenWords"] as const)("store of %s", (files) => {
    const [some, others] = [Uint8Array.of(0, 13, 10, 195, 255), Uint8Array.of(1, 2)];

    it("gives back the bytes that were put last under a name, and nothing under another", async () => {
      const { state } = await opened(open);
      await state[files].put("greeting", others, 60_000);
      await state[files].put("greeting", some, 60_000);
      expect([...((await state[files].get("greeting")) ?? [])]).toEqual([...some]);
      expect(await state[files].get("farewell")).toBeUndefined();
      expect(await state[files === "announcements" ? "spokenWords" : "announcements"].get("greeting")).toBeUndefined();
    });

    it("forgets them when their life is over", async () => {
      const { state, elapse } = await opened(open);
      await state[files].put("greeting", some, 100);
      await elapse(150);
      expect(await state[files].get("greeting")).toBeUndefined();
    });
  });

  describe("host registry", () => {
    it("is empty without hosts and lists each living one with its last heartbeat", async () => {
      const { state } = await opened(open);
      expect(await state.hosts.list()).toEqual([]);
      for (const id of ["h-3", "h-1", "h-2"]) await state.hosts.beat(heartbeat(id));
      await state.hosts.beat(heartbeat("h-2", true));
      const hosts = await state.hosts.list();
      expect(hosts).toEqual([heartbeat("h-1"), heartbeat("h-2", true), heartbeat("h-3")]);
    });

    it("tells a host whether it was listed", async () => {
      const { state } = await opened(open);
      const beat = () => state.hosts.beat(heartbeat("h-1"));
      expect([await beat(), await beat()]).toEqual([false, true]);
      await state.hosts.remove("h-1");
      expect([await beat(), await beat()]).toEqual([false, true]);
    });

    it("lets a host say goodbye", async () => {
      const { state } = await opened(open);
      await state.hosts.beat(heartbeat("h-1"));
      await state.hosts.remove("h-1");
      expect(await state.hosts.list()).toEqual([]);
    });

    it("gives a host three heartbeats", () => {
      expect(heartbeatTtlMs).toBe(15_000);
    });
  });
}
