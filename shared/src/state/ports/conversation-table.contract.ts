import { tenantOwner, writeOwner } from "../../auth/tenant.ts";
import { describe, expect, it } from "vitest";
import type { ConversationQuery, ConversationRow } from "./conversation-table.ts";
import { opened, type OpenState, type StateHarness } from "./harness.contract.ts";

export function conversationRow(
  sessionId: string,
  startedAtMs: number,
  facts: Partial<ConversationRow> = {},
): ConversationRow {
  return {
    sessionId,
    channel: "browser",
    scenario: "bank",
    agents: ["concierge"],
    agent: "concierge",
    outcome: "completed",
    endReason: "caller_left",
    startedAtMs,
    endedAtMs: startedAtMs + 30_000,
    turnCount: 3,
    failureCount: 0,
    isTransferred: false,
    usage: { "model:gpt": { input_tokens: 12 } },
    revision: 1,
    ...facts,
  };
}

export function describeConversationTable(open: OpenState): void {
  describe("conversation table", () => {
    /** Rows `c-1`, `c-2`, …, each of which began a minute before the one after it. */
    async function filled(facts: readonly Partial<ConversationRow>[]): Promise<StateHarness> {
      const harness = await opened(open);
      const firstMs = Math.floor(harness.nowMs()) - 3_600_000;
      for (const [at, fact] of facts.entries())
        await harness.state.conversations.put(conversationRow(`c-${at + 1}`, firstMs + at * 60_000, fact));
      return harness;
    }

    async function idsOf({ state }: StateHarness, query: Partial<ConversationQuery> = {}): Promise<string[]> {
      const { rows } = await state.conversations.list({ limit: 50, ...query });
      return rows.map(({ sessionId }) => sessionId);
    }

    it("gives a row back as it was put, and the one that it replaces", async () => {
      const { state, nowMs } = await opened(open);
      const row = conversationRow("c-1", Math.floor(nowMs()), {
        who: "+12025550123",
        answerP95Ms: 812.5,
        language: "de-DE",
      });
      expect(await state.conversations.put(row)).toBe("new");
      expect(await state.conversations.get("c-1")).toEqual(row);
      const later = { ...row, turnCount: 4, revision: 2 };
      expect(await state.conversations.put(later)).toEqual(row);
      expect(await state.conversations.get("c-1")).toEqual(later);
      expect(await state.conversations.get("c-2")).toBeUndefined();
    });

    it("refuses a row that is older than the one it has", async () => {
      const { state, nowMs } = await opened(open);
      const row = conversationRow("c-1", Math.floor(nowMs()), { revision: 7 });
      await state.conversations.put(row);
      expect(await state.conversations.put({ ...row, revision: 6, outcome: "in_progress" })).toBe("refused");
      expect(await state.conversations.put({ ...row, turnCount: 9 })).toEqual(row);
      expect(await state.conversations.get("c-1")).toMatchObject({ revision: 7, outcome: "completed", turnCount: 9 });
    });

    it("[AFTER-5] has what was noted of a conversation", async () => {
      const { state, nowMs } = await opened(open);
      const noted = { summary: "Short.", outcome: "done", fields: { card: null, guests: 4, angry: false } };
      const row = conversationRow("c-1", Math.floor(nowMs()), { noted, release: 2 });
      await state.conversations.put(row);
      expect(await state.conversations.get("c-1")).toEqual(row);
    });

    it("[LIST-1] lists the one that began last first, in pages that neither repeat nor leave out a row", async () => {
      const harness = await filled(Array.from({ length: 7 }, () => ({})));
      const { conversations } = harness.state;
      const first = await conversations.list({ limit: 3 });
      expect(first.rows.map(({ sessionId }) => sessionId)).toEqual(["c-7", "c-6", "c-5"]);
      await conversations.put(conversationRow("c-8", Math.floor(harness.nowMs())));
      const second = await conversations.list({ limit: 3, after: first.next });
      expect(second.rows.map(({ sessionId }) => sessionId)).toEqual(["c-4", "c-3", "c-2"]);
      const third = await conversations.list({ limit: 3, after: second.next });
      expect(third.rows.map(({ sessionId }) => sessionId)).toEqual(["c-1"]);
      expect(third.next).toBeUndefined();
    });

    it("pages through rows that began in the same millisecond", async () => {
      const { state, nowMs } = await opened(open);
      const atMs = Math.floor(nowMs());
      const ids = ["a", "b", "c", "d", "e"];
      for (const id of ids) await state.conversations.put(conversationRow(id, atMs));
      const seen: string[] = [];
      for (let after: ConversationQuery["after"]; ;) {
        const { rows, next } = await state.conversations.list({ limit: 2, after });
        seen.push(...rows.map(({ sessionId }) => sessionId));
        if (next === undefined) break;
        after = next;
      }
      expect(seen).toEqual(ids.toReversed());
    });

    it("[LIST-2] [PUBLISH-23] filters by every fact, and by several together", async () => {
      const harness = await filled([
        { channel: "phone", direction: "inbound", who: "+12025550101" },
        { scenario: "insurance", agents: ["intake", "claims"], agent: "claims" },
        { outcome: "failed", endReason: "recogniser_lost", failureCount: 1 },
        { outcome: "transferred", endReason: "transfer", isTransferred: true, channel: "phone" },
        { answerP95Ms: 2600 },
        { outcome: "busy", channel: "phone", direction: "outbound", endReason: "busy" },
        { owner: "alice", failureCount: 2, release: 3 },
        { owner: writeOwner({ tenant: "acme", subject: "alice" }) },
      ]);
      expect(await idsOf(harness, { channel: "phone" })).toEqual(["c-6", "c-4", "c-1"]);
      expect(await idsOf(harness, { direction: "outbound" })).toEqual(["c-6"]);
      expect(await idsOf(harness, { scenario: "insurance" })).toEqual(["c-2"]);
      expect(await idsOf(harness, { agent: "intake" })).toEqual(["c-2"]);
      expect(await idsOf(harness, { release: 3 })).toEqual(["c-7"]);
      expect(await idsOf(harness, { release: 0 })).toEqual([]);
      expect(await idsOf(harness, { outcome: "busy" })).toEqual(["c-6"]);
      expect(await idsOf(harness, { endReason: "recogniser_lost" })).toEqual(["c-3"]);
      expect(await idsOf(harness, { isFailed: true })).toEqual(["c-7", "c-6", "c-3"]);
      expect(await idsOf(harness, { isTransferred: true })).toEqual(["c-4"]);
      expect(await idsOf(harness, { minAnswerP95Ms: 2500 })).toEqual(["c-5"]);
      expect(await idsOf(harness, { minAnswerP95Ms: 2700 })).toEqual([]);
      expect(await idsOf(harness, { owner: "alice" })).toEqual(["c-7"]);
      expect(await idsOf(harness, { owner: tenantOwner("acme") })).toEqual(["c-8"]);
      expect(await idsOf(harness, { channel: "phone", isFailed: true })).toEqual(["c-6"]);
      expect(await idsOf(harness, { channel: "browser", agent: "concierge", isFailed: true })).toEqual(["c-7", "c-3"]);
    });

    it("filters by when they began and by how long they took; one that continues has taken until now", async () => {
      const harness = await filled([{ outcome: "in_progress", endReason: undefined, endedAtMs: undefined }, {}, {}]);
      const beganMs = (await harness.state.conversations.get("c-2"))?.startedAtMs ?? 0;
      expect(await idsOf(harness, { fromMs: beganMs })).toEqual(["c-3", "c-2"]);
      expect(await idsOf(harness, { beforeMs: beganMs })).toEqual(["c-1"]);
      expect(await idsOf(harness, { fromMs: beganMs, beforeMs: beganMs + 1 })).toEqual(["c-2"]);
      expect(await idsOf(harness, { minDurationMs: 600_000 })).toEqual(["c-1"]);
      expect(await idsOf(harness, { minDurationMs: 30_000, outcome: "completed" })).toEqual(["c-3", "c-2"]);
      expect(await idsOf(harness, { maxDurationMs: 29_999 })).toEqual([]);
    });

    it("leaves the lists to which a row no longer belongs", async () => {
      const harness = await filled([
        { outcome: "in_progress", endReason: undefined, endedAtMs: undefined, revision: 1 },
      ]);
      const { conversations } = harness.state;
      const began = await conversations.get("c-1");
      if (began === undefined) throw new Error("it was put");
      await conversations.put({
        ...began,
        outcome: "failed",
        endReason: "voice_failed",
        endedAtMs: began.startedAtMs + 5,
        revision: 2,
      });
      expect(await conversations.list({ limit: 5, outcome: "in_progress" })).toEqual({
        rows: [],
        next: undefined,
        total: 0,
      });
      expect(await conversations.list({ limit: 5, outcome: "failed" })).toMatchObject({
        rows: [{ sessionId: "c-1" }],
        total: 1,
      });
    });

    it("[LIST-3] finds a part of a number, of an address, and of an id as lists show it", async () => {
      const { state, nowMs } = await opened(open);
      const atMs = Math.floor(nowMs());
      await state.conversations.put(conversationRow("session-MA-dGaXq81", atMs - 2));
      await state.conversations.put(
        conversationRow("session-b", atMs - 1, { who: "+12025550123", callId: "call-77ab" }),
      );
      await state.conversations.put(conversationRow("session-c", atMs, { who: "kim.lee@example.com" }));
      const find = async (search: string) => {
        const { rows, total } = await state.conversations.list({ limit: 5, search });
        expect(total).toBe(rows.length);
        return rows.map(({ sessionId }) => sessionId);
      };
      for (const part of ["MA-dGa", "ma-dga", "session-MA", "dGaXq"])
        expect(await find(part)).toEqual(["session-MA-dGaXq81"]);
      for (const part of ["0123", "12025550123", "+1 (202) 555-0123", "5550", "call-77", "77ab"])
        expect(await find(part)).toEqual(["session-b"]);
      for (const part of ["kim", "LEE@", "example.com", "ample"]) expect(await find(part)).toEqual(["session-c"]);
      expect(await find("session")).toEqual(["session-c", "session-b", "session-MA-dGaXq81"]);
      expect(await find("0124")).toEqual([]);
      const ofChannel = await state.conversations.list({ limit: 5, search: "session", channel: "phone" });
      expect(ofChannel.rows).toEqual([]);
    });

    it("[LIST-3] finds a row by what it has now, and no more by what it had", async () => {
      const { state, nowMs } = await opened(open);
      const row = conversationRow("c-1", Math.floor(nowMs()), { who: "+12025550123", revision: 1 });
      await state.conversations.put(row);
      await state.conversations.put({ ...row, who: "kim.lee@example.com", revision: 2 });
      const find = async (search: string) => (await state.conversations.list({ limit: 5, search })).rows.length;
      expect([await find("0123"), await find("kim")]).toEqual([0, 1]);
    });

    it("pages through what a search finds", async () => {
      const harness = await filled(Array.from({ length: 5 }, () => ({ who: "+12025550123" })));
      const { conversations } = harness.state;
      const first = await conversations.list({ limit: 2, search: "0123" });
      expect(first).toMatchObject({ rows: [{ sessionId: "c-5" }, { sessionId: "c-4" }], total: 5 });
      const second = await conversations.list({ limit: 3, search: "0123", after: first.next });
      expect(second).toMatchObject({
        rows: [{ sessionId: "c-3" }, { sessionId: "c-2" }, { sessionId: "c-1" }],
        total: 5,
      });
      expect(second.next).toBeUndefined();
    });

    it("counts what an index alone can count", async () => {
      const harness = await filled([{ channel: "phone" }, {}, { channel: "phone" }]);
      const { conversations } = harness.state;
      expect(await conversations.list({ limit: 1 })).toMatchObject({ total: 3 });
      expect(await conversations.list({ limit: 1, channel: "phone" })).toMatchObject({ total: 2 });
    });

    it("forgets a row that is removed, and everything by which it is found", async () => {
      const harness = await filled([{ who: "+12025550123" }, {}]);
      const { conversations } = harness.state;
      await conversations.remove("c-1");
      await conversations.remove("c-unknown");
      expect(await conversations.get("c-1")).toBeUndefined();
      expect(await idsOf(harness)).toEqual(["c-2"]);
      expect(await conversations.list({ limit: 5, search: "0123" })).toMatchObject({ rows: [], total: 0 });
    });

    it("forgets a row when its session is forgotten, unless it is kept alive, and one of a call with the call", async () => {
      const harness = await opened(open, { sessionMs: 3000, callMs: 7800 });
      const { state, nowMs, elapse } = harness;
      const atMs = Math.floor(nowMs());
      await state.conversations.put(conversationRow("c-1", atMs));
      await state.conversations.put(conversationRow("c-2", atMs));
      await state.conversations.put(conversationRow("c-3", atMs, { callId: "k-3", channel: "phone" }));
      await elapse(1800);
      await state.conversations.keepAlive(["c-2", "c-3", "c-unknown"]);
      await elapse(1950);
      expect(await idsOf(harness)).toEqual(["c-3", "c-2"]);
      await elapse(1800);
      expect(await idsOf(harness)).toEqual(["c-3"]);
      await elapse(3000);
      expect(await idsOf(harness)).toEqual([]);
    });
  });
}
