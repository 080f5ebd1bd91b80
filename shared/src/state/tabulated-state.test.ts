import { describe, expect, it } from "vitest";

import { silentLogger } from "../platform/logger.ts";
import { VoiceError } from "../platform/errors.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "./memory/create-memory-state.ts";
import { newCall } from "./ports/call-store.contract.ts";
import { newSession } from "./ports/session-store.contract.ts";
import type { State } from "./ports/state.ts";
import { tabulateConversations } from "./tabulated-state.ts";

interface Tabulated {
  readonly state: State;
  readonly clock: VirtualClock;
}

function tabulated(change: (state: State) => State = (state) => state): Tabulated {
  const clock = new VirtualClock();
  const stored = change(createMemoryState({ clock }));
  return { clock, state: tabulateConversations(stored, clock, silentLogger) };
}

const marks = (ms: number) => ({ first_audio_ms: ms });

describe("the table of conversations", () => {
  it("[LIST-4] has a conversation from its beginning, and its end with the reason", async () => {
    const { state, clock } = tabulated();
    const { version } = await state.sessions.create({ ...newSession("s-1", clock.wallNow()), owner: "alice" });
    await clock.advanceAsync(1);
    expect(await state.conversations.get("s-1")).toMatchObject({
      sessionId: "s-1",
      owner: "alice",
      outcome: "in_progress",
      endedAtMs: undefined,
    });
    await clock.advanceAsync(5000, 5000);
    await state.sessions.update("s-1", version, { status: "ended", endReason: "caller_left" });
    expect(await state.conversations.get("s-1")).toMatchObject({
      outcome: "completed",
      endReason: "caller_left",
      endedAtMs: clock.wallNow(),
    });
  });

  it("has the agents, the answers' times and the failures of a conversation that continues, within a minute", async () => {
    const { state, clock } = tabulated();
    const { version } = await state.sessions.create(newSession("s-1", clock.wallNow()));
    await clock.advanceAsync(1);
    for (const [at, ms] of [700, 2900, 900].entries())
      await state.sessions.appendTurn("s-1", {
        items: [],
        appendId: `a-${at}`,
        turnCount: at + 1,
        usage: { "model:gpt": { input_tokens: 10 } },
        metrics: {
          turnId: `t-${at}`,
          agent: "concierge",
          timestampMs: clock.wallNow(),
          marks: marks(ms),
          promptVersion: "v2",
        },
      });
    expect(await state.conversations.get("s-1")).toMatchObject({ turnCount: 0 });
    await clock.advanceAsync(60_000, 60_000);
    expect(await state.conversations.get("s-1")).toMatchObject({
      turnCount: 3,
      answerP95Ms: 2900,
      version: "v2",
      usage: { "model:gpt": { input_tokens: 30 } },
    });
    const failure = { code: "upstream_timeout", message: "The model did not answer.", timestampMs: clock.wallNow() };
    await state.sessions.update("s-1", version, {
      activeAgent: "claims",
      visitedAgents: ["concierge"],
      failures: [failure],
    });
    await clock.advanceAsync(1000, 1000);
    expect(await state.conversations.get("s-1")).toMatchObject({
      agents: ["concierge", "claims"],
      agent: "claims",
      failureCount: 1,
    });
  });

  it("has a call that nobody answered, and why", async () => {
    const { state, clock } = tabulated();
    const call = { ...newCall("k-1", clock.wallNow()), sessionId: "s-1", targetNumber: "+12025550123" };
    const { version } = await state.calls.create(call);
    await clock.advanceAsync(1);
    expect(await state.conversations.get("s-1")).toMatchObject({
      callId: "k-1",
      outcome: "in_progress",
      who: "+12025550123",
    });
    await state.calls.update("k-1", version, { status: "failed", failureCode: "busy", endedAtMs: clock.wallNow() });
    expect(await state.conversations.get("s-1")).toMatchObject({ outcome: "busy", endReason: "busy", turnCount: 0 });
    expect((await state.conversations.list({ limit: 5, isFailed: true })).total).toBe(1);
  });

  it("has one row for a call and the conversation that it carries", async () => {
    const { state, clock } = tabulated();
    const call = {
      ...newCall("k-1", clock.wallNow()),
      sessionId: "s-1",
      callConnectionId: "c-1",
      targetNumber: "+12025550123",
    };
    await state.calls.create(call);
    const session = { ...newSession("s-1", clock.wallNow()), channel: "phone" as const, callConnectionId: "c-1" };
    const { version } = await state.sessions.create(session);
    await state.sessions.update("s-1", version, { status: "ended", endReason: "transfer" });
    const { rows } = await state.conversations.list({ limit: 5 });
    expect(rows).toMatchObject([{ callId: "k-1", who: "+12025550123", outcome: "transferred", isTransferred: true }]);
  });

  it("enters a conversation again until the store has taken it", async () => {
    let isAway = true;
    const { state, clock } = tabulated((stored) => ({
      ...stored,
      conversations: {
        put: async (row) => {
          if (isAway) throw new VoiceError("cache_connection_failed", "the cache is away");
          return stored.conversations.put(row);
        },
        get: (id) => stored.conversations.get(id),
        keepAlive: (ids) => stored.conversations.keepAlive(ids),
        remove: (id) => stored.conversations.remove(id),
        list: (query) => stored.conversations.list(query),
      },
    }));
    const { version } = await state.sessions.create(newSession("s-1", clock.wallNow()));
    await state.sessions.update("s-1", version, { status: "ended", endReason: "operator" });
    expect(await state.conversations.get("s-1")).toBeUndefined();
    isAway = false;
    await clock.advanceAsync(5000, 5000);
    expect(await state.conversations.get("s-1")).toMatchObject({ endReason: "operator" });
  });

  it("holds up neither a call nor a conversation that goes on", async () => {
    const { state, clock } = tabulated((stored) => {
      const never = () => new Promise<never>(() => undefined);
      return { ...stored, conversations: { put: never, get: never, keepAlive: never, remove: never, list: never } };
    });
    const call = await state.calls.create({ ...newCall("k-1", clock.wallNow()), sessionId: "s-1" });
    const connected = await state.calls.update("k-1", call.version, { status: "connected" });
    const session = await state.sessions.create(newSession("s-2", clock.wallNow()));
    const resumed = await state.sessions.update("s-2", session.version, { status: "active" });
    expect([connected.status, resumed.status]).toEqual(["connected", "active"]);
  });

  it("has what was still to be written when the process stops", async () => {
    const { state, clock } = tabulated();
    await state.sessions.create(newSession("s-1", clock.wallNow()));
    await state.sessions.appendTurn("s-1", { items: [], appendId: "a-1", turnCount: 1 });
    await state.close();
    expect(await state.conversations.get("s-1")).toMatchObject({ turnCount: 1 });
  });

  it("[LIST-5] forgets a conversation that is deleted, also when its call ends afterwards", async () => {
    const { state, clock } = tabulated();
    const call = await state.calls.create({
      ...newCall("k-1", clock.wallNow()),
      sessionId: "s-1",
      callConnectionId: "c-1",
    });
    await state.sessions.create({ ...newSession("s-1", clock.wallNow()), callConnectionId: "c-1" });
    await state.calls.forget("k-1");
    await state.sessions.delete("s-1");
    const { version } = (await state.calls.get("k-1")) ?? call;
    await state.calls.update("k-1", version, { status: "disconnected" });
    await clock.advanceAsync(60_000, 60_000);
    expect((await state.conversations.list({ limit: 5 })).rows).toEqual([]);
  });

  it("forgets whom a call connected when the call is deleted, with and without a conversation", async () => {
    const { state, clock } = tabulated();
    const number = { targetNumber: "+12025550123", callConnectionId: "c-1" };
    await state.calls.create({ ...newCall("k-1", clock.wallNow()), ...number, sessionId: "s-1" });
    await state.sessions.create({ ...newSession("s-1", clock.wallNow()), callConnectionId: "c-1" });
    await state.calls.create({ ...newCall("k-2", clock.wallNow()), targetNumber: "+12025550123", sessionId: "s-2" });
    await clock.advanceAsync(1);
    expect((await state.conversations.list({ limit: 5, search: "0123" })).total).toBe(2);
    await state.calls.forget("k-1");
    await state.calls.forget("k-2");
    expect((await state.conversations.list({ limit: 5, search: "0123" })).total).toBe(0);
    expect((await state.conversations.list({ limit: 5 })).rows).toMatchObject([{ sessionId: "s-1", who: undefined }]);
  });
});
