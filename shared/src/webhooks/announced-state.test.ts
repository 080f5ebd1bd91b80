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
  connectedAtMs: nowMs,
};

function rig(inner?: Partial<State>) {
  const clock = new VirtualClock(nowMs);
  const store = { ...createMemoryState({ clock }), ...inner };
  const baseUrl = "https://voice.example";
  const state = announceState(store, [url], baseUrl, clock);
  const take = () => store.webhooks.take(receiverOf(url), 10, 60_000);
  /** What is sent at this moment, with the bodies that are written only then. */
  const sent = async () =>
    Promise.all(
      (await take()).map(async (taken) =>
        eventIn(taken.body ?? (await findBody(taken, { state, baseUrl, nowMs: clock.wallNow() }))),
      ),
    );
  return { clock, store, state, baseUrl, take, sent };
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
    const { state, clock, sent, take } = rig();
    await state.sessions.create(session);
    await state.calls.create(call);
    const endReason = "Ada Lovelace said goodbye";
    await state.sessions.update("session-1", firstVersion(session), { status: "ended", endReason });
    await state.calls.update("call-1", 1, { status: "disconnected", endedAtMs: nowMs, failureReason: endReason });
    clock.advance(2000);
    const stored = JSON.stringify([await sent(), await take()]);
    expect(stored).toContain("call.ended");
    for (const personal of ["Lovelace", "ada@example.com", "2065550142", "crm.example", "secret"])
      expect(stored).not.toContain(personal);
  });

  it("announces a call that ended, failed, and was handed over", async () => {
    const { state, clock, sent } = rig();
    await state.calls.create(call);
    await state.calls.create({ ...call, callId: "call-2", status: "ringing", connectedAtMs: undefined });
    await state.calls.update("call-2", 1, { status: "failed", failureCode: "busy", endedAtMs: nowMs });
    await state.calls.update("call-1", 1, { transferId: "t-1" });
    await state.callOperations.settle({ callId: "call-1", operationContext: "transfer:t-1" }, { ok: true });
    await state.calls.update("call-1", 2, { status: "disconnected", endedAtMs: nowMs });
    expect(await sent()).toMatchObject([
      { type: "call.failed", data: { call_id: "call-2", failure: "busy", end_reason: null, handed_over: false } },
      { type: "call.handed_over", data: { call_id: "call-1", status: "connected", ended_at: null } },
    ]);
    clock.advance(2000);
    expect(await sent()).toMatchObject([
      { type: "call.ended", data: { call_id: "call-1", handed_over: true, status: "disconnected" } },
    ]);
  });

  it("names in a call's link the conversation that the call carries, and no other that has the session's id", async () => {
    const { state, clock, sent } = rig();
    const link = "https://voice.example/api/v1/sessions/session-1/transcript";
    const dataOf = async (callId: string, endedAtMs: number) => {
      await state.calls.create({ ...call, callId });
      await state.calls.update(callId, 1, { status: "disconnected", endedAtMs });
      clock.advance(2000);
      return (await sent())[0];
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
    const { state, take, clock } = rig();
    await state.sessions.create(session);
    await state.sessions.update("session-1", firstVersion(session), { status: "ended" });
    await state.sessions.update("session-1", firstVersion(session) + 1, { status: "ended", endReason: "host_lost" });
    expect(await take()).toHaveLength(1);
    await state.sessions.update("session-1", firstVersion(session) + 2, { status: "active", turnCount: 5 });
    await state.sessions.update("session-1", firstVersion(session) + 3, { status: "ended" });
    clock.advance(2000);
    expect(await take()).toHaveLength(1);
  });

  it("[WEBHOOK-8a] says why a conversation is over, which is written just after its end", async () => {
    const { state, clock, take, sent } = rig();
    await state.sessions.create(session);
    await state.sessions.update("session-1", firstVersion(session), { status: "ended" });
    expect(await take()).toEqual([]);
    await state.sessions.update("session-1", firstVersion(session) + 1, { endReason: "caller_left" });
    clock.advance(2000);
    expect(await sent()).toMatchObject([{ type: "session.ended", data: { end_reason: "caller_left" } }]);
  });

  it("[WEBHOOK-8a] says why a call that was talked on is over", async () => {
    const { state, clock, sent } = rig();
    await state.calls.create(call);
    await state.calls.update("call-1", 1, { status: "disconnected", endedAtMs: nowMs });
    const eventId = "conversation-ended:call-1";
    const details = { reason: "caller_silent" };
    await state.calls.appendEvent("call-1", { eventId, timestampMs: nowMs, type: "conversation.ended", details });
    clock.advance(2000);
    expect(await sent()).toMatchObject([{ type: "call.ended", data: { failure: null, end_reason: "caller_silent" } }]);
  });

  it("[WEBHOOK-8b] waits with a call that failed until the service may have said why, and says that", async () => {
    const { state, clock, take, sent } = rig();
    await state.calls.create({ ...call, status: "ringing", connectedAtMs: undefined });
    const assumed = { status: "failed", failureCode: "no_answer", failureBasis: "assumed", endedAtMs: nowMs } as const;
    await state.calls.update("call-1", 1, assumed);
    clock.advance(4000);
    expect(await take()).toEqual([]);
    await state.calls.update("call-1", 2, { failureCode: "busy", failureBasis: "failure" });
    clock.advance(1000);
    expect(await sent()).toMatchObject([{ type: "call.failed", data: { failure: "busy" } }]);
  });

  it("[WEBHOOK-8c] announces a call as over and not as failed, when its answer is reported after its end", async () => {
    const { state, clock, store, take, baseUrl } = rig();
    await state.calls.create({ ...call, status: "ringing", connectedAtMs: undefined });
    const assumed = { status: "failed", failureCode: "no_answer", failureBasis: "assumed", endedAtMs: nowMs } as const;
    await state.calls.update("call-1", 1, assumed);
    const answered = { status: "disconnected", connectedAtMs: nowMs, failureCode: undefined } as const;
    await state.calls.update("call-1", 2, answered);
    clock.advance(5000);
    const bodies = (await take()).map(async (taken) => findBody(taken, { state: store, baseUrl, nowMs }));
    const written = (await Promise.all(bodies)).filter((body) => body !== undefined);
    expect(written.map(eventIn)).toMatchObject([{ type: "call.ended" }]);
  });

  it("[WEBHOOK-9] announces a call that nobody answered as failed, however it ended", async () => {
    const { state, clock, sent } = rig();
    await state.calls.create({ ...call, status: "ringing", connectedAtMs: undefined });
    await state.calls.update("call-1", 1, { status: "disconnected", failureCode: "caller_gone", endedAtMs: nowMs });
    clock.advance(5000);
    expect(await sent()).toMatchObject([{ type: "call.failed", data: { failure: "caller_gone", connected_at: null } }]);
  });

  it("[WEBHOOK-3] announces the end of each conversation that a client holds under the same id", async () => {
    const { state, store, take, clock } = rig();
    const ends: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      const { version } = await state.sessions.create({ ...session, createdAtMs: clock.wallNow() });
      await state.sessions.update("session-1", version, { status: "ended" });
      clock.advance(2000);
      for (const delivery of await take()) {
        ends.push(delivery.id);
        await store.webhooks.finish(delivery);
      }
      clock.advance(30 * 3_600_000);
    }
    expect(new Set(ends).size).toBe(3);
  });

  it("[WEBHOOK-2a] [WEBHOOK-2b] leaves a delivery behind when the process dies after the write, and none is made where the write failed", async () => {
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
