import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import type { HistoryItem, NewSession, SessionPatch, SessionQuery } from "./session-store.ts";
import type { State } from "./state.ts";
import { updateSession } from "../update-session.ts";
import { newMediaSession } from "./small-stores.contract.ts";

export function newSession(sessionId: string, createdAtMs: number): NewSession {
  return {
    sessionId,
    channel: "browser",
    streamingMode: "REALTIME",
    scenario: "banking",
    activeAgent: "concierge",
    visitedAgents: ["concierge"],
    status: "active",
    userEmail: "ada@example.com",
    memory: { verified: false, accounts: [] },
    createdAtMs,
  };
}

export function said(turnId: string, content: string, timestampMs: number): HistoryItem {
  return { role: "user", content, agent: "concierge", turnId, timestampMs, interrupted: false };
}

/** Patches whatever version there is. */
const changed = (state: State, sessionId: string, patch: SessionPatch) =>
  updateSession(sessionId, state.sessions, () => patch);

export function describeSessionStore(open: OpenState): void {
  describe("session store", () => {
    it("gives back what was created", async () => {
      const { state, nowMs } = await opened(open);
      const session = newSession("s-1", nowMs());
      const created = await state.sessions.create(session);
      expect(created).toMatchObject(session);
      expect(Math.abs(created.lastActivityAtMs - nowMs())).toBeLessThan(2000);
      expect(await state.sessions.get("s-1")).toEqual(created);
    });

    it("refuses a second session with the same id and keeps the first", async () => {
      const { state, nowMs } = await opened(open);
      await state.sessions.create(newSession("s-1", nowMs()));
      const second = state.sessions.create({ ...newSession("s-1", nowMs()), scenario: "insurance" });
      await expect(second).rejects.toMatchObject({ code: "conflict" });
      expect(await state.sessions.get("s-1")).toMatchObject({ scenario: "banking" });
    });

    it("applies a patch to the version it was made for, clears a field set to undefined and leaves the rest", async () => {
      const { state, nowMs } = await opened(open);
      const { version } = await state.sessions.create(newSession("s-1", nowMs()));
      const patch = { activeAgent: "fraud", memory: { verified: true }, userEmail: undefined };
      const updated = await state.sessions.update("s-1", version, patch);
      expect(updated).toMatchObject({
        activeAgent: "fraud",
        memory: { verified: true },
        version: version + 1,
        scenario: "banking",
      });
      expect(updated.userEmail).toBeUndefined();
      expect(await state.sessions.get("s-1")).toEqual(updated);
    });

    it("[REC-8] [OPS-9] keeps what it is told of recordings and failures", async () => {
      const { state, nowMs } = await opened(open);
      const { version } = await state.sessions.create(newSession("s-1", nowMs()));
      const ended = {
        recordingId: "a",
        startedAtMs: 1,
        sampleRateHz: 16_000,
        channels: 2,
        status: "complete",
      } as const;
      const running = { ...ended, recordingId: "b", channels: 1, status: "recording" } as const;
      const recordings = [{ ...ended, durationMs: 5, lostMs: 0 }, running];
      const failures = [{ code: "rate_limited", message: "The agent could not answer.", timestampMs: 5 }];
      await state.sessions.update("s-1", version, { recordings, failures });
      expect(await state.sessions.get("s-1")).toMatchObject({ recordings, failures });
    });

    it("lets exactly one of many simultaneous updates of one version win", async () => {
      const { state, nowMs } = await opened(open);
      const { version } = await state.sessions.create(newSession("s-1", nowMs()));
      const agents = Array.from({ length: 20 }, (_, index) => `agent-${index}`);
      const results = await Promise.allSettled(
        agents.map((activeAgent) => state.sessions.update("s-1", version, { activeAgent })),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const losers = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      expect(losers).toMatchObject(losers.map(() => ({ code: "conflict" })));
      expect(await state.sessions.get("s-1")).toMatchObject({ version: version + 1 });
    });

    it("appends turns in order and keeps their metrics, without touching the version", async () => {
      const { state, nowMs } = await opened(open);
      const { version } = await state.sessions.create(newSession("s-1", nowMs()));
      const metrics = { turnId: "t-1", agent: "concierge", timestampMs: nowMs(), marks: { first_audio: 420.5 } };
      const answer: HistoryItem = {
        ...said("t-1", "Hello!", nowMs()),
        role: "assistant",
        interrupted: true,
        toolCalls: [{ id: "c-1", name: "lookup", argumentsJson: "{}" }],
      };
      await state.sessions.appendTurn("s-1", { items: [said("t-1", "Hi", nowMs()), answer], metrics, appendId: "a-1" });
      await state.sessions.appendTurn("s-1", { items: [said("t-2", "Bye 👋", nowMs())], appendId: "a-2" });
      const history = await state.sessions.history("s-1");
      expect(history.map(({ content }) => content)).toEqual(["Hi", "Hello!", "Bye 👋"]);
      expect(history[1]).toEqual(answer);
      expect(await state.sessions.metrics("s-1")).toEqual([metrics]);
      expect(await state.sessions.get("s-1")).toMatchObject({ version });
    });

    it("keeps how many turns have begun, told with a turn or not", async () => {
      const { state, nowMs } = await opened(open);
      const created = await state.sessions.create(newSession("s-1", nowMs()));
      expect(created.turnCount).toBeUndefined();
      await state.sessions.appendTurn("s-1", { items: [said("turn-3", "Hi", nowMs())], appendId: "a-1", turnCount: 3 });
      expect(await state.sessions.get("s-1")).toMatchObject({ turnCount: 3, version: created.version });
      await state.sessions.appendTurn("s-1", { items: [said("turn-3", "Bye", nowMs())], appendId: "a-2" });
      expect(await state.sessions.get("s-1")).toMatchObject({ turnCount: 3 });
    });

    it("keeps where an agent's knowledge begins apart from what the session remembers", async () => {
      const { state, nowMs } = await opened(open);
      const { version } = await state.sessions.create(newSession("s-1", nowMs()));
      const updated = await state.sessions.update("s-1", version, { knownFrom: 4 });
      expect(updated).toMatchObject({ knownFrom: 4, memory: newSession("s-1", 0).memory });
      expect(await state.sessions.update("s-1", updated.version, { knownFrom: undefined })).not.toHaveProperty(
        "knownFrom",
        4,
      );
    });

    it("takes a repeated append once, also after others", async () => {
      const { state, nowMs } = await opened(open);
      await state.sessions.create(newSession("s-1", nowMs()));
      const turns = ["a-1", "a-2"].map((appendId) => ({ items: [said("t-1", appendId, nowMs())], appendId }));
      for (const turn of [...turns, ...turns]) await state.sessions.appendTurn("s-1", turn);
      expect((await state.sessions.history("s-1")).map(({ content }) => content)).toEqual(["a-1", "a-2"]);
    });

    it("tells an id that expired from one that never was, for reads and for writes", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 150 });
      await state.sessions.create(newSession("s-1", nowMs()));
      await elapse(300);
      expect(await state.sessions.get("s-1")).toBe("expired");
      expect(await state.sessions.get("s-2")).toBe("unknown");
      const patch = { activeAgent: "x" };
      await expect(state.sessions.update("s-1", 1, patch)).rejects.toMatchObject({ code: "session_expired" });
      await expect(state.sessions.update("s-2", 1, patch)).rejects.toMatchObject({ code: "not_found" });
      const turn = { items: [said("t", "x", 0)], appendId: "a" };
      await expect(state.sessions.appendTurn("s-1", turn)).rejects.toMatchObject({ code: "session_expired" });
      await expect(state.sessions.appendTurn("s-2", turn)).rejects.toMatchObject({ code: "not_found" });
      expect(await state.sessions.history("s-1")).toEqual([]);
      expect(await state.sessions.list({ offset: 0, limit: 10 })).toEqual({ sessions: [], total: 0 });
    });

    it("forgets in the end that an id existed", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 50, tombstoneMs: 100 });
      await state.sessions.create(newSession("s-1", nowMs()));
      await elapse(400);
      expect(await state.sessions.get("s-1")).toBe("unknown");
    });

    it("lets an expired id be used again, with nothing of the old session", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 1000 });
      await state.sessions.create(newSession("s-1", nowMs()));
      await state.sessions.appendTurn("s-1", { items: [said("t", "old", nowMs())], appendId: "a-1" });
      await elapse(1200);
      await state.sessions.create(newSession("s-1", nowMs()));
      expect(await state.sessions.history("s-1")).toEqual([]);
      await state.sessions.appendTurn("s-1", { items: [said("t", "new", nowMs())], appendId: "a-1" });
      expect(await state.sessions.history("s-1")).toMatchObject([{ content: "new" }]);
    });

    it("reads a log whole and in order, however long it is", async () => {
      const { state, nowMs } = await opened(open);
      await state.sessions.create(newSession("s-1", nowMs()));
      const words = Array.from({ length: 1201 }, (_, at) => `word ${at}`);
      const items = words.map((word) => said("t", word, nowMs()));
      for (let at = 0; at < items.length; at += 400)
        await state.sessions.appendTurn("s-1", { items: items.slice(at, at + 400), appendId: `a-${at}` });
      expect((await state.sessions.history("s-1")).map(({ content }) => content)).toEqual(words);
    });

    it("lists by last activity, newest first, in pages with the total", async () => {
      const { state, nowMs, elapse } = await opened(open);
      for (const id of ["s-1", "s-2", "s-3"]) {
        await state.sessions.create(newSession(id, nowMs()));
        await elapse(5);
      }
      await state.sessions.appendTurn("s-1", { items: [said("t", "x", nowMs())], appendId: "a" });
      const first = await state.sessions.list({ offset: 0, limit: 2 });
      expect(first.sessions.map(({ sessionId }) => sessionId)).toEqual(["s-1", "s-3"]);
      expect(first.total).toBe(3);
      const second = await state.sessions.list({ offset: 2, limit: 2 });
      expect(second.sessions.map(({ sessionId }) => sessionId)).toEqual(["s-2"]);
      expect((await state.sessions.list({ offset: 9, limit: 2 })).sessions).toEqual([]);
    });

    it("[ACCESS-7] lists the sessions of one owner by last activity, as long as each of them lives", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 4000, tombstoneMs: 25 });
      for (const [id, owner] of [
        ["s-1", "alice"],
        ["s-2", "alice"],
        ["s-3", "bob"],
        ["s-4", undefined],
        ["s-5", "alice"],
      ] as const) {
        await state.sessions.create({ ...newSession(id, nowMs()), owner });
        await elapse(5);
      }
      await state.sessions.appendTurn("s-1", { items: [said("t", "x", nowMs())], appendId: "a" });
      const idsOf = async (owner: string, page = { offset: 0, limit: 10 }) => {
        const { sessions, total } = await state.sessions.list({ ...page, owner });
        return [total, ...sessions.map(({ sessionId }) => sessionId)];
      };
      expect(await idsOf("alice")).toEqual([3, "s-1", "s-5", "s-2"]);
      expect(await idsOf("alice", { offset: 1, limit: 1 })).toEqual([3, "s-5"]);
      expect(await idsOf("bob")).toEqual([1, "s-3"]);
      expect(await idsOf("s-4")).toEqual([0]);
      await state.sessions.delete("s-5");
      await elapse(2250);
      await changed(state, "s-2", { status: "ended" });
      await elapse(2250);
      expect(await idsOf("alice")).toEqual([1, "s-2"]);
      expect(await state.sessions.get("s-2")).toMatchObject({ owner: "alice" });
      // By now s-2 is older than an id is remembered after its last use.
      await state.sessions.create({ ...newSession("s-6", nowMs()), owner: "alice" });
      expect(await idsOf("alice")).toEqual([2, "s-6", "s-2"]);
    });

    it("[OPS-8b] filters by channel, status and time, in the order in which sessions began, went on or ended", async () => {
      const { state, nowMs, elapse } = await opened(open);
      const startedAtMs = nowMs();
      for (const [id, channel, owner] of [
        ["s-1", "phone", "alice"],
        ["s-2", "browser", "alice"],
        ["s-3", "phone", "bob"],
        ["s-4", "phone", "alice"],
      ] as const) {
        await state.sessions.create({ ...newSession(id, nowMs()), channel, owner });
        await elapse(5);
      }
      const beganBeforeMs = nowMs();
      await elapse(5);
      await changed(state, "s-3", { status: "ended" });
      await elapse(5);
      await changed(state, "s-1", { status: "ended" });
      await state.sessions.appendTurn("s-2", { items: [said("t", "x", nowMs())], appendId: "a" });
      const idsOf = async (query: Partial<SessionQuery>): Promise<(string | number)[]> => {
        const { sessions, total } = await state.sessions.list({ offset: 0, limit: 10, ...query });
        return [total, ...sessions.map(({ sessionId }) => sessionId)];
      };
      expect(await idsOf({ channel: "phone" })).toEqual([3, "s-1", "s-3", "s-4"]);
      expect(await idsOf({ channel: "phone", offset: 1, limit: 1 })).toEqual([3, "s-3"]);
      expect(await idsOf({ status: "active" })).toEqual([2, "s-4", "s-2"]);
      expect(await idsOf({ status: "ended", channel: "browser" })).toEqual([0]);
      expect(await idsOf({ status: "ended", owner: "alice" })).toEqual([1, "s-1"]);
      expect(await idsOf({ channel: "phone", owner: "alice", fromMs: startedAtMs })).toEqual([2, "s-1", "s-4"]);
      expect(await idsOf({ beforeMs: beganBeforeMs })).toEqual([2, "s-4", "s-2"]);
      expect(await idsOf({ owner: "alice", beforeMs: beganBeforeMs })).toEqual([2, "s-4", "s-2"]);
      expect(await idsOf({ fromMs: beganBeforeMs, status: "ended" })).toEqual([2, "s-1", "s-3"]);
      expect(await idsOf({ fromMs: nowMs() + 1000 })).toEqual([0]);
      await changed(state, "s-3", { status: "active" });
      await state.sessions.delete("s-4");
      expect(await idsOf({ status: "active", channel: "phone" })).toEqual([1, "s-3"]);
      expect(await idsOf({ fromMs: startedAtMs })).toMatchObject({ 0: 3 });
    });

    it("deletes the record, the log and the session's own things, and remembers the id", async () => {
      const { state, nowMs } = await opened(open);
      await state.sessions.create(newSession("s-1", nowMs()));
      await state.sessions.appendTurn("s-1", { items: [said("t", "x", nowMs())], appendId: "a" });
      await state.agents.create("s-1", "helper", { prompt: "help" });
      await state.scenarios.create("s-1", "own", { agents: [] });
      expect(await state.sessions.delete("s-1")).toBe(true);
      expect(await state.sessions.delete("s-1")).toBe(false);
      expect(await state.sessions.get("s-1")).toBe("expired");
      expect(await state.sessions.history("s-1")).toEqual([]);
      expect(await state.agents.list("s-1")).toEqual([]);
      expect(await state.scenarios.list("s-1")).toEqual([]);
      expect((await state.sessions.list({ offset: 0, limit: 10 })).total).toBe(0);
    });

    it.each(["}odd{", "a b/c?*", "{}", "\u00e9\u{1F600}"])("takes any text as an id: %s", async (id) => {
      const { state, nowMs } = await opened(open);
      await state.sessions.create(newSession(id, nowMs()));
      await state.sessions.appendTurn(id, { items: [said("t", "x", nowMs())], appendId: "a" });
      await state.agents.create(id, "own", {});
      await state.mediaSessions.create(newMediaSession(id, nowMs()));
      expect(await state.sessions.get(id)).toMatchObject({ sessionId: id });
      expect(await state.sessions.history(id)).toHaveLength(1);
      expect(await state.sessions.delete(id)).toBe(true);
    });

    it("[HIST-6] gives a history in the order in which its turns began, whatever was stored first", async () => {
      const { state, nowMs } = await opened(open);
      const at = nowMs();
      await state.sessions.create(newSession("s-1", at));
      const append = (appendId: string, ...items: HistoryItem[]) =>
        state.sessions.appendTurn("s-1", { items, appendId });
      const begun = (content: string, begunAtMs: number) => ({ ...said("t", content, at), begunAtMs });
      await append("old", said("t", "of an older version", at));
      await append("answer", begun("answer", at + 2), begun("more of it", at + 2));
      // More than one page of what a store reads at a time.
      await append("much", ...Array.from({ length: 600 }, (_item, index) => begun(`${index}`, at + 10 + index)));
      await append("late", begun("question", at + 1));
      const history = (await state.sessions.history("s-1")).map(({ content }) => content);
      expect(history.slice(0, 5)).toEqual(["of an older version", "question", "answer", "more of it", "0"]);
      expect(history.at(-1)).toBe("599");
    });

    it("keeps what callers do to their objects out of the store", async () => {
      const { state, nowMs } = await opened(open);
      const memory: Record<string, unknown> = { step: 1 };
      await state.sessions.create({ ...newSession("s-1", nowMs()), memory });
      memory["step"] = 2;
      expect(await state.sessions.get("s-1")).toMatchObject({ memory: { step: 1 } });
    });
  });
}
