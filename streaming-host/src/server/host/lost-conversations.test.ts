import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { heartbeatPeriodMs } from "@voice/shared/state/ports/host-registry";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import type { NewSession, SessionPatch, SessionRecord } from "@voice/shared/state/ports/session-store";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import type { State } from "@voice/shared/state/ports/state";
import { updateSession } from "@voice/shared/state/update-session";
import { announceState, receiverOf } from "@voice/shared/webhooks/announced-state";
import { describe, expect, it } from "vitest";
import { lookPeriodMs, LostConversations } from "./lost-conversations.ts";

const receiver = "https://crm.example/voice";
const minute = 60_000;
/** The last heartbeat stays for 15 s, four looks find the host missing, and the first may come 30 s later. */
const surelyLostMs = 15_000 + 5 * lookPeriodMs;

/** The hosts `a` and `b` watch; `c` only carries conversations. Those in `living` report to the registry. */
async function rig() {
  const clock = new VirtualClock();
  const stored = createMemoryState({ clock, logger: silentLogger });
  const state: State = announceState(stored, [receiver], undefined, clock);
  const living = new Set(["a", "b", "c"]);
  const draining = new Set<string>();
  const ended: string[] = [];
  const listed: string[] = [];
  const shown: string[] = [];
  const outages = new Set<string>();
  await state.liveUpdates.watch("all", ({ text }) => shown.push(text));

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += heartbeatPeriodMs) {
      for (const hostId of living) await state.hosts.beat(heartbeat(hostId, draining.has(hostId)));
      await clock.advanceAsync(heartbeatPeriodMs, 100);
    }
  }

  function watch(hostId: string) {
    const lost = new LostConversations(
      { id: hostId, state, clock, logger: silentLogger },
      {
        hosts: {
          list: () =>
            outages.has(hostId)
              ? Promise.reject(new VoiceError("cache_connection_failed", "away"))
              : state.hosts.list(),
        },
        sessions: {
          list: (query) => {
            listed.push(hostId);
            return state.sessions.list(query);
          },
          async update(...change) {
            const session = await state.sessions.update(...change);
            ended.push(`${session.sessionId} by ${hostId}`);
            return session;
          },
        },
      },
    );
    return () => lost.close();
  }

  return {
    clock,
    state,
    living,
    draining,
    outages,
    ended,
    listed,
    pass,
    watch,
    /** Changes the conversation as a host does that has read it. */
    async write(patch: SessionPatch): Promise<void> {
      await updateSession("one", state.sessions, () => patch);
    },
    begin: (sessionId: string, change: Partial<NewSession> = {}) =>
      state.sessions.create({ ...newSession(sessionId, clock.wallNow()), hostId: "c", ...change }),
    async session(sessionId = "one"): Promise<SessionRecord> {
      const found = await state.sessions.get(sessionId);
      return typeof found === "string" ? expect.fail(found) : found;
    },
    ends: () => shown.filter((text) => text.includes("session_ended")),
  };
}

/** The rig after `c` has carried conversations for a while. */
async function settledRig() {
  const made = await rig();
  const stops = [made.watch("a"), made.watch("b")];
  await made.begin("one");
  await made.pass(5 * minute);
  return { ...made, stop: () => Promise.all(stops.map((stop) => stop())) };
}

const recording = {
  recordingId: "r-1",
  startedAtMs: 0,
  sampleRateHz: 16_000,
  channels: 2,
  status: "recording",
} as const;

describe("a conversation whose host died", () => {
  it.each(["browser", "media", "telephony"] as const)(
    "[HS-11b] [HS-11c] is ended once, by one host, with a reason, if the client on the channel %s does not come back",
    async (channel) => {
      const { begin, living, pass, session, ended, ends, state } = await settledRig();
      await state.sessions.delete("one");
      const { version } = await begin("other", { channel, recordings: [recording] });
      living.delete("c");
      await pass(surelyLostMs);
      expect(await session("other")).toMatchObject({
        status: "ended",
        endReason: "host_lost",
        recordings: [{ ...recording, status: "interrupted" }],
        version: version + 1,
      });
      expect(ended).toEqual(["other by a"]);
      expect(ends()).toEqual([expect.stringContaining('"reason":"host_lost"')]);
      const sent = await state.webhooks.take(receiverOf(receiver), 10, minute);
      expect(sent).toMatchObject([{ type: "session.ended", body: expect.stringContaining('"host_lost"') }]);
    },
  );

  it("[HS-11b] waits 100 s for its client", async () => {
    const { living, pass, session } = await settledRig();
    living.delete("c");
    await pass(100_000);
    expect(await session()).toMatchObject({ status: "active" });
  });

  it("[HS-11a] goes on if its client has come back to another host", async () => {
    const { living, pass, session, write, ended } = await settledRig();
    const { version } = await session();
    living.delete("c");
    await pass(minute);
    await write({ status: "active", hostId: "b" });
    await pass(surelyLostMs);
    expect(await session()).toMatchObject({ status: "active", hostId: "b", version: version + 1 });
    expect(ended).toEqual([]);
  });

  it("[HS-11a] goes on if its client comes back at the moment in which it is to be ended", async () => {
    const { living, pass, session, state, ended, ends } = await settledRig();
    const { list } = state.sessions;
    state.sessions.list = async (query) => {
      const page = await list.call(state.sessions, query);
      const { version, hostId } = await session();
      if (hostId === "c") await state.sessions.update("one", version, { status: "active", hostId: "b" });
      return page;
    };
    living.delete("c");
    await pass(surelyLostMs);
    expect(await session()).toMatchObject({ status: "active", hostId: "b" });
    expect([...ended, ...ends()]).toEqual([]);
  });

  it("[HS-11b] is ended later if it was written to a moment before", async () => {
    const { living, pass, session, write } = await settledRig();
    living.delete("c");
    await pass(80_000);
    await write({ profileId: "p-1" });
    await pass(minute);
    expect(await session()).toMatchObject({ status: "active" });
    await pass(surelyLostMs);
    expect(await session()).toMatchObject({ status: "ended" });
  });

  it("[HS-11b] is found by a host that started after that", async () => {
    const { begin, living, pass, session, watch } = await rig();
    await begin("one");
    living.delete("c");
    watch("a");
    await pass(surelyLostMs);
    expect(await session()).toMatchObject({ status: "ended" });
  });

  it("[HS-11b] is ended by the next host if the first is draining", async () => {
    const { living, draining, pass, ended } = await settledRig();
    draining.add("a");
    living.delete("c");
    await pass(surelyLostMs);
    expect(ended).toEqual(["one by b"]);
  });

  it("[HS-11b] is among many others, of which none is missed", async () => {
    const { begin, living, pass, ended } = await settledRig();
    const ids = Array.from({ length: 130 }, (_, index) => `session-${index}`);
    for (const [index, id] of ids.entries()) await begin(id, { hostId: index % 2 === 0 ? "c" : "b" });
    living.delete("c");
    await pass(surelyLostMs);
    expect(ended).toHaveLength(1 + 65);
    expect(new Set(ended).size).toBe(ended.length);
  });
});

describe("what has nothing to do with a dead host", () => {
  it("[HS-11e] is not ended: phone calls, and sessions that no host has had", async () => {
    const { begin, living, pass, session, ended } = await settledRig();
    await begin("call", { channel: "phone" });
    await begin("fresh", { hostId: undefined });
    living.delete("c");
    await pass(surelyLostMs);
    expect(await session("call")).toMatchObject({ status: "active" });
    expect(await session("fresh")).toMatchObject({ status: "active" });
    expect(ended).toEqual(["one by a"]);
  });

  it("[HS-11d] is not ended after an outage of the store, in which no host could report", async () => {
    const { living, outages, pass, session } = await settledRig();
    const all = [...living];
    living.clear();
    outages.add("a").add("b");
    await pass(10 * minute);
    outages.clear();
    await pass(heartbeatPeriodMs * 2);
    for (const hostId of all) living.add(hostId);
    await pass(10 * minute);
    expect(await session()).toMatchObject({ status: "active" });
  });

  it("[HS-11b] is not even read: conversations are listed only after a host has gone, and by one host", async () => {
    const { listed, living, pass } = await settledRig();
    const afterStart = listed.length;
    await pass(10 * minute);
    expect(listed).toHaveLength(afterStart);
    living.delete("c");
    await pass(10 * minute);
    expect(listed.length).toBeGreaterThan(afterStart);
    expect(new Set(listed)).toEqual(new Set(["a"]));
  });
});

it("stops looking for lost conversations when the host leaves", async () => {
  const { clock, living, pass, session, stop } = await settledRig();
  living.delete("c");
  await stop();
  expect(clock.pendingTimers).toBe(0);
  await pass(surelyLostMs);
  expect(await session()).toMatchObject({ status: "active" });
});
