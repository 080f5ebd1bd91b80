import { describe, expect, it } from "vitest";
import type { CallStatus } from "../../contracts/calls/call-status.ts";
import { maxCallLogEntries, type CallLogEntry, type CallQuery, type NewCall } from "./call-store.ts";
import { opened, type OpenState } from "./harness.contract.ts";

export function newCall(callId: string, createdAtMs: number, status: CallStatus = "initiating"): NewCall {
  return {
    callId,
    status,
    direction: "outbound",
    targetNumber: "+14255550100",
    context: { reason: "demo", tags: [] },
    scenario: "banking",
    streamingMode: "MEDIA",
    recording: false,
    participants: [],
    sessionId: `session-of-${callId}`,
    createdAtMs,
  };
}

function entry(eventId: string, timestampMs: number): CallLogEntry {
  return { eventId, type: "Microsoft.Communication.CallConnected", timestampMs, details: { code: 200 } };
}

export function describeCallStore(open: OpenState): void {
  describe("call store", () => {
    it("gives back what was created, at version 1, and nothing for an unknown id", async () => {
      const { state, nowMs } = await opened(open);
      const call = newCall("c-1", nowMs());
      const created = await state.calls.create(call);
      expect(created).toEqual({ ...call, version: 1 });
      expect(await state.calls.get("c-1")).toEqual(created);
      expect(await state.calls.get("c-2")).toBeUndefined();
      expect(await state.calls.getByConnection("connection")).toBeUndefined();
    });

    it("refuses a second call with the same id and leaves the lists as they were", async () => {
      const { state, nowMs } = await opened(open);
      await state.calls.create(newCall("c-1", nowMs()));
      const second = state.calls.create(newCall("c-1", nowMs(), "ringing"));
      await expect(second).rejects.toMatchObject({ code: "conflict" });
      expect((await state.calls.list({ offset: 0, limit: 10 })).total).toBe(1);
      expect((await state.calls.list({ offset: 0, limit: 10, status: "ringing" })).total).toBe(0);
    });

    it("finds a call by its connection, given at creation or learned later", async () => {
      const { state, nowMs } = await opened(open);
      await state.calls.create({ ...newCall("c-1", nowMs()), callConnectionId: "k-1" });
      await state.calls.create(newCall("c-2", nowMs()));
      await state.calls.update("c-2", 1, { callConnectionId: "k-2" });
      expect(await state.calls.getByConnection("k-1")).toMatchObject({ callId: "c-1" });
      expect(await state.calls.getByConnection("k-2")).toMatchObject({ callId: "c-2", version: 2 });
    });

    it("clears a field that is set to undefined, in its answer, too", async () => {
      const { state, nowMs } = await opened(open);
      await state.calls.create({ ...newCall("c-1", nowMs(), "failed"), failureCode: "busy", failureReason: "busy" });
      const cleared = await state.calls.update("c-1", 1, { failureCode: undefined, failureReason: undefined });
      expect(JSON.stringify(cleared)).not.toContain("busy");
      expect(await state.calls.get("c-1")).toEqual(cleared);
    });

    it("[ONCE-4] lets exactly one of many simultaneous updates of one version win", async () => {
      const { state, nowMs } = await opened(open);
      await state.calls.create(newCall("c-1", nowMs()));
      const statuses = ["ringing", "connected", "on_hold", "disconnected", "failed"] as const;
      const results = await Promise.allSettled(statuses.map((status) => state.calls.update("c-1", 1, { status })));
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      const totals = await Promise.all(
        statuses.map(async (status) => (await state.calls.list({ offset: 0, limit: 10, status })).total),
      );
      expect(totals.reduce((sum, total) => sum + total, 0)).toBe(1);
    });

    it("rejects writes to a call that is not there", async () => {
      const { state } = await opened(open);
      const update = state.calls.update("c-1", 1, { status: "failed" });
      await expect(update).rejects.toMatchObject({ code: "call_not_found" });
      const append = state.calls.appendEvent("c-1", entry("e-1", 0));
      await expect(append).rejects.toMatchObject({ code: "call_not_found" });
    });

    it("[ONCE-5] appends an event once, however often it is repeated, and does not touch the version", async () => {
      const { state, nowMs } = await opened(open);
      await state.calls.create(newCall("c-1", nowMs()));
      const results = await Promise.all(
        ["e-1", "e-1", "e-2", "e-1"].map((id) => state.calls.appendEvent("c-1", entry(id, nowMs()))),
      );
      expect(results).toEqual([true, false, true, false]);
      expect((await state.calls.events("c-1")).map(({ eventId }) => eventId)).toEqual(["e-1", "e-2"]);
      expect(await state.calls.get("c-1")).toMatchObject({ version: 1 });
    });

    it("keeps the newest entries of a long log", async () => {
      const { state, nowMs } = await opened(open);
      await state.calls.create(newCall("c-1", nowMs()));
      for (let index = 0; index < maxCallLogEntries + 3; index += 1)
        await state.calls.appendEvent("c-1", entry(`e-${index}`, nowMs()));
      const events = await state.calls.events("c-1");
      expect(events).toHaveLength(maxCallLogEntries);
      expect(events[0]).toMatchObject({ eventId: "e-3" });
    });

    it("lists newest first by creation time with the log, in pages with the total", async () => {
      const { state, nowMs } = await opened(open);
      const now = nowMs();
      for (const age of [3, 1, 5, 2, 4]) await state.calls.create(newCall(`c-${age}`, now - age * 1000));
      await state.calls.appendEvent("c-1", entry("e-1", now));
      const first = await state.calls.list({ offset: 0, limit: 2 });
      expect(first.calls.map(({ call }) => call.callId)).toEqual(["c-1", "c-2"]);
      expect(first.calls[0]?.events).toMatchObject([{ eventId: "e-1" }]);
      const last = await state.calls.list({ offset: 4, limit: 2 });
      expect(last.calls.map(({ call }) => call.callId)).toEqual(["c-5"]);
      expect([first.total, last.total]).toEqual([5, 5]);
      expect(await state.calls.list({ offset: 5, limit: 2 })).toEqual({ calls: [], total: 5 });
    });

    it("orders calls of one millisecond the same way every time", async () => {
      const { state, nowMs } = await opened(open);
      const now = nowMs();
      for (const id of ["b", "a", "c"]) await state.calls.create(newCall(id, now));
      const { calls } = await state.calls.list({ offset: 0, limit: 3 });
      expect(calls.map(({ call }) => call.callId)).toEqual(["c", "b", "a"]);
    });

    it("finds calls by the far end's number (inbound and outbound), by status and by owner", async () => {
      const { state, nowMs } = await opened(open);
      const [number, service, now] = ["+12025550123", "+12025550100", nowMs()];
      await state.calls.create({ ...newCall("c-1", now - 3), targetNumber: number, owner: "ann" });
      await state.calls.create({ ...newCall("c-2", now - 2), targetNumber: "+12025550124", owner: "ann" });
      const inbound = { direction: "inbound", targetNumber: service, callerNumber: number } as const;
      await state.calls.create({ ...newCall("c-3", now - 1, "connected"), ...inbound });
      const idsOf = async (query: Pick<CallQuery, "number" | "status" | "owner">): Promise<string[]> => {
        const { calls, total } = await state.calls.list({ offset: 0, limit: 10, ...query });
        expect(total).toBe(calls.length);
        return calls.map(({ call }) => call.callId);
      };
      expect(await idsOf({ number })).toEqual(["c-3", "c-1"]);
      expect(await idsOf({ number, status: "connected" })).toEqual(["c-3"]);
      expect(await idsOf({ number, owner: "ann" })).toEqual(["c-1"]);
      expect(await idsOf({ number: service })).toEqual([]);
    });

    it("filters by status, and a call moves between the filters as its status changes", async () => {
      const { state, nowMs } = await opened(open);
      const now = nowMs();
      for (let index = 0; index < 6; index += 1) await state.calls.create(newCall(`c-${index}`, now - index * 1000));
      await state.calls.update("c-2", 1, { status: "connected", connectedAtMs: now });
      await state.calls.update("c-4", 1, { status: "connected" });
      await state.calls.update("c-4", 2, { status: "disconnected", endedAtMs: now, failureReason: "hung up" });
      const connected = await state.calls.list({ offset: 0, limit: 10, status: "connected" });
      expect(connected.calls.map(({ call }) => call.callId)).toEqual(["c-2"]);
      const initiating = await state.calls.list({ offset: 1, limit: 2, status: "initiating" });
      expect(initiating.calls.map(({ call }) => call.callId)).toEqual(["c-1", "c-3"]);
      expect(initiating.total).toBe(4);
    });

    it("[OPS-8a] filters by direction and outcome, which change with what becomes of a call", async () => {
      const { state, nowMs } = await opened(open);
      const now = nowMs();
      const inbound = { direction: "inbound", targetNumber: "+12025550100", callerNumber: "+12025550123" } as const;
      await state.calls.create({ ...newCall("out-busy", now - 5), targetNumber: "+12025550123" });
      await state.calls.create({ ...newCall("in-talked", now - 4), ...inbound });
      await state.calls.create({ ...newCall("in-full", now - 3), ...inbound });
      await state.calls.create({ ...newCall("out-live", now - 2) });
      await state.calls.create({ ...newCall("out-broken", now - 1) });
      const idsOf = async (query: Partial<CallQuery>): Promise<string[]> => {
        const { calls, total } = await state.calls.list({ offset: 0, limit: 10, ...query });
        expect(total).toBe(calls.length);
        return calls.map(({ call }) => call.callId);
      };
      expect(await idsOf({ outcome: "in_progress", direction: "inbound" })).toEqual(["in-full", "in-talked"]);
      await state.calls.update("out-busy", 1, { status: "failed", failureCode: "busy", failureReason: "busy" });
      await state.calls.update("in-talked", 1, { status: "disconnected" });
      await state.calls.update("in-full", 1, { status: "disconnected" });
      await state.calls.update("in-full", 2, { failureCode: "all_places_taken" });
      await state.calls.update("out-broken", 1, { status: "failed" });
      expect(await idsOf({ direction: "inbound" })).toEqual(["in-full", "in-talked"]);
      expect(await idsOf({ outcome: "in_progress" })).toEqual(["out-live"]);
      expect(await idsOf({ outcome: "completed" })).toEqual(["in-talked"]);
      expect(await idsOf({ outcome: "busy" })).toEqual(["out-busy"]);
      expect(await idsOf({ outcome: "failed" })).toEqual(["out-broken", "in-full"]);
      expect(await idsOf({ outcome: "failed", direction: "inbound" })).toEqual(["in-full"]);
      expect(await idsOf({ status: "disconnected", direction: "outbound" })).toEqual([]);
      expect(await idsOf({ outcome: "busy", number: "+12025550123" })).toEqual(["out-busy"]);
      expect(await idsOf({ direction: "inbound", number: "+12025550123" })).toEqual(["in-full", "in-talked"]);
    });

    it("[OPS-8a] lists a call that has failed when it is created by what it failed for", async () => {
      const { state, nowMs } = await opened(open);
      await state.calls.create({ ...newCall("c-1", nowMs(), "failed"), failureCode: "busy", failureReason: "busy" });
      await state.calls.create(newCall("c-2", nowMs(), "disconnected"));
      const idsOf = async (outcome: CallQuery["outcome"]): Promise<string[]> =>
        (await state.calls.list({ offset: 0, limit: 10, outcome })).calls.map(({ call }) => call.callId);
      expect([await idsOf("busy"), await idsOf("failed"), await idsOf("completed")]).toEqual([["c-1"], [], ["c-2"]]);
    });

    it("[OPS-8a] [OPS-8c] lists the calls of a time, in pages, with and without another filter", async () => {
      const { state, nowMs } = await opened(open);
      const now = nowMs();
      for (let age = 0; age < 8; age += 1)
        await state.calls.create({ ...newCall(`c-${age}`, now - age * 1000), owner: age % 2 === 0 ? "ann" : "bob" });
      const time = { fromMs: now - 6000, beforeMs: now - 1000 };
      const page = async (query: Partial<CallQuery>): Promise<(string | number)[]> => {
        const { calls, total } = await state.calls.list({ offset: 0, limit: 2, ...time, ...query });
        return [total, ...calls.map(({ call }) => call.callId)];
      };
      expect(await page({})).toEqual([5, "c-2", "c-3"]);
      expect(await page({ offset: 4 })).toEqual([5, "c-6"]);
      expect(await page({ offset: 6 })).toEqual([5]);
      expect(await page({ outcome: "in_progress", direction: "outbound", offset: 2 })).toEqual([5, "c-4", "c-5"]);
      expect(await page({ owner: "ann" })).toEqual([3, "c-2", "c-4"]);
      expect(await page({ number: newCall("", 0).targetNumber, limit: 1 })).toEqual([5, "c-2"]);
      expect(await page({ beforeMs: undefined })).toEqual([7, "c-0", "c-1"]);
      expect(await page({ fromMs: now + 1 })).toEqual([0]);
    });

    it("[ACCESS-26] forgets whom a call connected, for good, and not that there was a call", async () => {
      const { state, nowMs } = await opened(open);
      const people = { callerNumber: "+14255550111", targetRawId: "8:acs:1", callerRawId: "8:acs:2" };
      const participants = [{ id: "p", phoneNumber: "+14255550111", role: "caller", status: "connected" }];
      const created = await state.calls.create({ ...newCall("c-1", nowMs()), ...people, participants });
      await state.calls.forget("c-1");
      await state.calls.forget("c-1");
      await state.calls.forget("c-unknown");
      const forgotten = await state.calls.get("c-1");
      expect(JSON.stringify(forgotten)).not.toMatch(/1425555|acs|demo/);
      expect(forgotten).toMatchObject({ callId: "c-1", sessionId: created.sessionId, context: {}, participants: [] });
      expect(await state.calls.list({ offset: 0, limit: 10, number: "+14255550100" })).toEqual({ calls: [], total: 0 });
      expect((await state.calls.list({ offset: 0, limit: 10 })).total).toBe(1);
      await state.calls.update("c-1", forgotten?.version ?? 0, { status: "connected" });
      expect(await state.calls.get("c-1")).toMatchObject({ status: "connected", isForgotten: true });
    });

    it("forgets a call when its life span since creation is over, in the lists too", async () => {
      const { state, nowMs, elapse, lasting } = await opened(open, { callMs: 4000 });
      await state.calls.create({ ...newCall("c-old", nowMs() - lasting(2500)), callConnectionId: "k-old" });
      await state.calls.create(newCall("c-new", nowMs()));
      await state.calls.update("c-old", 1, { status: "connected" });
      await elapse(1700);
      expect(await state.calls.get("c-old")).toBeUndefined();
      expect(await state.calls.getByConnection("k-old")).toBeUndefined();
      expect(await state.calls.list({ offset: 0, limit: 10 })).toMatchObject({
        total: 1,
        calls: [{ call: { callId: "c-new" } }],
      });
      expect((await state.calls.list({ offset: 0, limit: 10, status: "connected" })).total).toBe(0);
    });

    it("lists a call for as long as it lives, although the list is older than that", async () => {
      const { state, nowMs, elapse } = await opened(open, { callMs: 2000 });
      await state.calls.create({ ...newCall("c-1", nowMs()), owner: "ada" });
      await elapse(1500);
      await state.calls.create({ ...newCall("c-2", nowMs()), owner: "ada" });
      await elapse(1300);
      for (const query of [{}, { status: "initiating" }, { owner: "ada" }] as const) {
        const { calls, total } = await state.calls.list({ ...query, offset: 0, limit: 10 });
        expect([total, ...calls.map(({ call }) => call.callId)]).toEqual([1, "c-2"]);
      }
    });

    it("[ACCESS-7] lists the calls that one owner placed, newest first, with and without a status", async () => {
      const { state, nowMs } = await opened(open);
      const startMs = nowMs();
      for (const [index, owner] of ["alice", "bob", "alice", undefined, "alice"].entries())
        await state.calls.create({ ...newCall(`c-${index}`, startMs + index), owner });
      await state.calls.update("c-2", 1, { status: "connected" });
      const idsOf = async (owner: string, status?: CallStatus, offset = 0) => {
        const { calls, total } = await state.calls.list({ offset, limit: 2, status, owner });
        return [total, ...calls.map(({ call }) => call.callId)];
      };
      expect(await idsOf("alice")).toEqual([3, "c-4", "c-2"]);
      expect(await idsOf("alice", undefined, 2)).toEqual([3, "c-0"]);
      expect(await idsOf("alice", "connected")).toEqual([1, "c-2"]);
      expect(await idsOf("alice", "initiating")).toEqual([2, "c-4", "c-0"]);
      expect(await idsOf("bob", "connected")).toEqual([0]);
      expect(await idsOf("carol")).toEqual([0]);
    });
  });
}
