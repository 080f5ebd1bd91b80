import { describe, expect, it } from "vitest";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import type { NewCall } from "../state/ports/call-store.ts";
import type { NewSession } from "../state/ports/session-store.ts";
import { firstVersion } from "../state/ports/session-store.ts";
import type { State } from "../state/ports/state.ts";
import { webhookEvents } from "../contracts/webhooks/webhook-event.ts";
import { announceState, receiverOf } from "./announced-state.ts";
import { findBody } from "./webhook-body.ts";

const url = "https://crm.example/voice?key=secret";
const nowMs = Date.UTC(2026, 2, 21);

const session: NewSession = {
  sessionId: "session-1",
  owner: "ada@example.com",
  channel: "browser",
  streamingMode: "REALTIME",
  scenario: "banking",
  activeAgent: "BankingConcierge",
  visitedAgents: [],
  status: "active",
  userEmail: "ada@example.com",
  memory: { full_name: "Ada Lovelace" },
  turnCount: 3,
  createdAtMs: nowMs,
};

const call: NewCall = {
  callId: "call-1",
  status: "connected",
  direction: "outbound",
  targetNumber: "+12065550142",
  context: { name: "Ada Lovelace" },
  streamingMode: "MEDIA",
  recording: false,
  participants: [],
  sessionId: "session-1",
  createdAtMs: nowMs,
};

function rig(inner?: Partial<State>) {
  const clock = new VirtualClock(nowMs);
  const store = { ...createMemoryState({ clock }), ...inner };
  const baseUrl = "https://voice.example";
  const state = announceState(store, { urls: [url], archives: false, baseUrl, clock });
  const take = () => store.webhooks.take(receiverOf(url), 10, 60_000);
  return { clock, store, state, baseUrl, take };
}

/** Parsed by the schema that the API documents show. */
function eventIn(body = ""): unknown {
  const { type } = JSON.parse(body) as { type: keyof typeof webhookEvents };
  return webhookEvents[type].schema.parse(JSON.parse(body));
}

describe("a state whose writes are announced", () => {
  it("puts a conversation's end in the outbox, with ids and states only", async () => {
    const { state, take } = rig();
    await state.sessions.create(session);
    await state.sessions.update("session-1", firstVersion(session), { memory: { step: 2 } });
    expect(await take()).toEqual([]);
    await state.sessions.update("session-1", firstVersion(session) + 1, { status: "ended", endReason: "caller_left" });
    const [taken] = await take();
    expect(eventIn(taken?.body)).toMatchObject({
      version: 1,
      id: taken?.id,
      type: "session.ended",
      data: { session_id: "session-1", end_reason: "caller_left", turns: 3, scenario: "banking" },
    });
    const transcript = "https://voice.example/api/v1/sessions/session-1/transcript";
    expect(taken?.body).toContain(`"${transcript}?created_at=2026-03-21T00:00:00.000Z"`);
  });

  it("[WEBHOOK-5] tells nothing that is personal, and stores no receiver's address", async () => {
    const { state, take } = rig();
    await state.sessions.create(session);
    await state.calls.create(call);
    const endReason = "Ada Lovelace said goodbye";
    await state.sessions.update("session-1", firstVersion(session), { status: "ended", endReason });
    await state.calls.update("call-1", 1, { status: "disconnected", endedAtMs: nowMs, failureReason: endReason });
    const stored = JSON.stringify(await take());
    expect(stored).toContain("call.ended");
    for (const personal of ["Lovelace", "ada@", "555", "crm.example", "secret"]) expect(stored).not.toContain(personal);
  });

  it("announces a call that ended, failed, and was handed over", async () => {
    const { state, take } = rig();
    await state.calls.create(call);
    await state.calls.create({ ...call, callId: "call-2", status: "ringing" });
    await state.calls.update("call-2", 1, { status: "failed", failureCode: "busy", endedAtMs: nowMs });
    await state.calls.update("call-1", 1, { transferId: "t-1" });
    await state.callOperations.settle({ callId: "call-1", operationContext: "transfer:t-1" }, { ok: true });
    await state.calls.update("call-1", 2, { status: "disconnected", endedAtMs: nowMs });
    const events = (await take()).map(({ body }) => eventIn(body));
    expect(events).toMatchObject([
      { type: "call.failed", data: { call_id: "call-2", failure: "busy", handed_over: false } },
      { type: "call.handed_over", data: { call_id: "call-1", status: "connected", ended_at: null } },
      { type: "call.ended", data: { call_id: "call-1", handed_over: true, status: "disconnected" } },
    ]);
  });

  it("names in a call's link the conversation that the call carries, and no other that has the session's id", async () => {
    const { state, take } = rig();
    const link = "https://voice.example/api/v1/sessions/session-1/transcript";
    const dataOf = async (callId: string, endedAtMs: number) => {
      await state.calls.create({ ...call, callId });
      await state.calls.update(callId, 1, { status: "disconnected", endedAtMs });
      const [taken] = await take();
      return eventIn(taken?.body);
    };
    await state.sessions.create(session);
    expect(await dataOf("call-1", nowMs)).toHaveProperty(
      "data.transcript_url",
      `${link}?created_at=2026-03-21T00:00:00.000Z`,
    );
    expect(await dataOf("call-2", nowMs - 3_600_000)).toHaveProperty("data.transcript_url", link);
  });

  it("announces no transfer that failed, and nothing else that was done on a call", async () => {
    const { state, take, clock } = rig();
    await state.calls.create(call);
    const failed = { ok: false, reason: "no answer" } as const;
    await state.callOperations.settle({ callId: "call-1", operationContext: "transfer:t-1" }, failed);
    await state.callOperations.settle({ callId: "call-1", operationContext: "play:1" }, { ok: true });
    clock.advance(60_000);
    expect(await take()).toEqual([]);
  });

  it("[WEBHOOK-3] gives the same end one id, however often it is written, and the end after a resumption another", async () => {
    const { state, take } = rig();
    await state.sessions.create(session);
    await state.sessions.update("session-1", firstVersion(session), { status: "ended" });
    await state.sessions.update("session-1", firstVersion(session) + 1, { status: "ended", endReason: "host_lost" });
    expect(await take()).toHaveLength(1);
    await state.sessions.update("session-1", firstVersion(session) + 2, { status: "active", turnCount: 5 });
    await state.sessions.update("session-1", firstVersion(session) + 3, { status: "ended" });
    expect(await take()).toHaveLength(1);
  });

  it("[WEBHOOK-3] announces the end of each conversation that a client holds under the same id", async () => {
    const { state, store, take, clock } = rig();
    const ends: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      const { version } = await state.sessions.create({ ...session, createdAtMs: clock.wallNow() });
      await state.sessions.update("session-1", version, { status: "ended" });
      for (const delivery of await take()) {
        ends.push(delivery.id);
        await store.webhooks.finish(delivery);
      }
      clock.advance(30 * 3_600_000);
    }
    expect(new Set(ends).size).toBe(3);
  });

  it("[WEBHOOK-2] leaves a delivery behind when the process dies after the write, and none is made where the write failed", async () => {
    const { state, store, take, clock, baseUrl } = rig();
    await state.sessions.create(session);
    await expect(
      state.sessions.update("session-1", firstVersion(session) + 6, { status: "ended" }),
    ).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await take()).toEqual([]);
    clock.advance(30_000);
    const [unsure] = await take();
    if (unsure === undefined) throw new Error("nothing was left in the outbox");
    expect(await findBody(unsure, { state, baseUrl, nowMs })).toBeUndefined();
    await store.sessions.update("session-1", firstVersion(session), { status: "ended" });
    expect(eventIn(await findBody(unsure, { state, baseUrl, nowMs }))).toMatchObject({ type: "session.ended" });
  });
});
