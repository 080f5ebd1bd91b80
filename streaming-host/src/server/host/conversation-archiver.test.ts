import { queueEnds } from "@voice/shared/state/due-ends";
import type { ArchivedConversation, ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger, type Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { NewSession, SessionPatch } from "@voice/shared/state/ports/session-store";
import { noTelemetry, type Telemetry } from "@voice/shared/telemetry/telemetry";
import { updateSession } from "@voice/shared/state/update-session";
import { afterEach, describe, expect, it } from "vitest";
import { ConversationArchiver } from "./conversation-archiver.ts";
import { leaseMs, retryPausesMs } from "./serve-work.ts";

const hour = 3_600_000;
const recording = { recordingId: "recording-1", startedAtMs: 0, sampleRateHz: 16_000, channels: 2 } as const;

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

async function rig({ failures = 0 } = {}) {
  const clock = new VirtualClock();
  const stored = createMemoryState({ clock, logger: silentLogger });
  const state = queueEnds(stored, [stored.toArchive]);
  const session: NewSession = {
    sessionId: "one",
    channel: "phone",
    streamingMode: "MEDIA",
    scenario: "default",
    activeAgent: "front-desk",
    visitedAgents: [],
    status: "active",
    callConnectionId: "connection-1",
    memory: {},
    createdAtMs: 0,
  };
  await state.sessions.create(session);
  const kept: ArchivedConversation[] = [];
  const forgotten: string[] = [];
  const errors: string[] = [];
  const counts: unknown[] = [];
  const refusals = { keep: failures, forget: 0, hangs: false };
  let attempts = 0;
  let whileKeeping = (): Promise<unknown> => Promise.resolve();
  const archive: ConversationArchive = {
    async keep(conversation, signal) {
      attempts += 1;
      if (refusals.hangs)
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      if (refusals.keep-- > 0) throw new VoiceError("upstream_unavailable", "away");
      kept.push(conversation);
      await whileKeeping();
    },
    conversationsOf: () => Promise.resolve([]),
    read: () => Promise.resolve(undefined),
    list: () => Promise.resolve({ sessions: [], total: 0 }),
    forget: async ({ sessionId, createdAt }) => {
      if (refusals.forget-- > 0) throw new VoiceError("upstream_unavailable", "away");
      forgotten.push(`${sessionId} of ${createdAt}`);
      return true;
    },
  };
  const logger: Logger = { ...silentLogger, child: () => logger, error: (_fields, line) => void errors.push(line) };
  const startHost = () => {
    const telemetry: Telemetry = { ...noTelemetry, count: (_name, attributes) => void counts.push(attributes) };
    const archiver = new ConversationArchiver(archive, { random: () => 0.5, telemetry, clock, logger }, state);
    closings.push(() => archiver.close());
    return archiver;
  };
  return {
    clock,
    state,
    session,
    kept,
    forgotten,
    errors,
    counts,
    refusals,
    startHost,
    attempts: () => attempts,
    meanwhile: (happens: () => Promise<unknown>): void => void (whileKeeping = happens),
    write: (patch: SessionPatch) => updateSession("one", state.sessions, () => patch),
    end: () => updateSession("one", state.sessions, () => ({ status: "ended" })),
    pass: (ms: number) => clock.advanceAsync(ms, ms > 120_000 ? 500 : 100),
  };
}

const ofOne = "one of 1970-01-01T00:00:00.000Z";

describe("the archiver", () => {
  it("keeps a conversation that has ended, with the call that carried it and what was written just after its end", async () => {
    const { startHost, end, write, pass, kept, counts } = await rig();
    startHost();
    await end();
    await write({ endReason: "caller_left" });
    await pass(10_000);
    expect(kept).toMatchObject([{ session_id: "one", call_connection_id: "connection-1", end_reason: "caller_left" }]);
    expect([kept.length, counts]).toEqual([1, [{ outcome: "kept" }]]);
  });

  it("keeps one whose host died before it could, whoever ended it", async () => {
    const { startHost, end, state, pass, kept } = await rig();
    await end();
    await pass(3000);
    await state.toArchive.take(10, leaseMs); // by a host that dies now
    startHost();
    startHost();
    await pass(50_000);
    expect(kept).toEqual([]);
    await pass(15_000);
    expect(kept).toMatchObject([{ session_id: "one", status: "ended" }]);
  });

  it("keeps one whose host died between its end and the word of it", async () => {
    const { startHost, state, end, pass, kept } = await rig();
    state.toArchive.hasten = () => Promise.reject(new VoiceError("cache_connection_failed", "the process is no more"));
    await expect(end()).rejects.toMatchObject({ code: "cache_connection_failed" });
    startHost();
    await pass(40_000);
    expect(kept).toMatchObject([{ session_id: "one", status: "ended" }]);
  });

  it("waits for the recording to be written", async () => {
    const { startHost, end, write, pass, kept } = await rig();
    startHost();
    await write({ recordings: [{ ...recording, status: "recording" }] });
    await end();
    await pass(4000);
    expect(kept).toEqual([]);
    await write({ recordings: [{ ...recording, status: "complete", durationMs: 1000 }] });
    await pass(10_000);
    expect(kept).toMatchObject([{ recordings: [{ status: "complete" }] }]);
  });

  it("keeps a conversation that is resumed when it ends again, also where nobody said anything more", async () => {
    const { startHost, end, write, pass, kept } = await rig();
    startHost();
    await end();
    await write({ status: "active" });
    await pass(10_000);
    expect(kept).toEqual([]);
    await end();
    await pass(10_000);
    await write({ status: "active", activeAgent: "back-office" });
    await end();
    await pass(10_000);
    expect(kept.map(({ active_agent }) => active_agent)).toEqual(["front-desk", "back-office"]);
  });

  it("writes a conversation again that went on and ended while it was written, perhaps by another host", async () => {
    const { startHost, end, write, meanwhile, pass, kept } = await rig();
    startHost();
    meanwhile(async () => {
      meanwhile(() => Promise.resolve());
      await write({ status: "active", activeAgent: "back-office" });
      await end();
    });
    await end();
    await pass(2100);
    expect(kept.map(({ active_agent }) => active_agent)).toEqual(["front-desk", "back-office"]);
  });

  it("tries again with growing pauses, over all hosts, and gives up within a day", async () => {
    const { startHost, end, pass, refusals, attempts, errors, counts, clock } = await rig({ failures: Infinity });
    startHost();
    await end();
    await pass(4000);
    expect(attempts()).toBe(1);
    await pass(45_000);
    expect(attempts()).toBe(3);
    await pass(120_000 + 1500);
    // Not late yet: after the next pause, it has been refused for over ten minutes.
    expect([attempts(), counts]).toEqual([4, []]);
    for (const pauseMs of retryPausesMs.slice(3)) await pass(pauseMs + 1500);
    expect([attempts(), refusals.keep]).toEqual([retryPausesMs.length + 1, Infinity]);
    expect(errors).toEqual(["a conversation was not archived"]);
    expect(counts).toEqual([{ outcome: "late" }, { outcome: "given_up" }]);
    expect(clock.now()).toBeLessThan(24 * hour);
  }, 30_000);

  it.each(["before", "while"])("leaves nothing of a conversation that was deleted %s it was written", async (when) => {
    const { startHost, end, state, meanwhile, pass, kept, forgotten } = await rig();
    startHost();
    const remove = async () => {
      await state.sessions.delete("one");
      await state.webhooks.forgetSession("one");
    };
    if (when === "while") meanwhile(remove);
    await end();
    if (when === "before") await remove();
    await pass(10_000);
    expect([kept.length, forgotten]).toEqual([when === "while" ? 1 : 0, [ofOne]]);
  });

  it("leaves nothing of a conversation that was deleted while a host wrote it that died then", async () => {
    const { startHost, end, state, pass, kept, forgotten } = await rig();
    await end();
    await pass(3000);
    await state.toArchive.take(10, leaseMs); // by a host that dies as soon as the archive has it
    await state.sessions.delete("one");
    await state.webhooks.forgetSession("one");
    startHost();
    await pass(65_000);
    expect([kept, forgotten]).toEqual([[], [ofOne]]);
  });

  it("leaves nothing of a deleted conversation, also where the archive is away, and says so where it stays away", async () => {
    const { startHost, end, state, meanwhile, refusals, pass, forgotten, errors } = await rig();
    startHost();
    meanwhile(() => state.sessions.delete("one"));
    refusals.forget = 2;
    await end();
    await pass(60_000);
    expect([forgotten, errors]).toEqual([[ofOne], []]);

    const other = await rig();
    other.startHost();
    other.refusals.forget = Infinity;
    await other.end();
    await other.state.sessions.delete("one");
    for (const pauseMs of [5000, ...retryPausesMs]) await other.pass(pauseMs + 1500);
    expect(other.errors).toEqual(["a deleted conversation may be left in the archive"]);
  }, 30_000);

  it("keeps no conversation whose deletion has begun, and only the one that has its id now", async () => {
    const { startHost, end, write, state, session, pass, kept, forgotten } = await rig();
    startHost();
    await end();
    await write({ deletionBegun: true });
    await pass(10_000);
    expect([kept, forgotten]).toEqual([[], [ofOne]]);
    await state.sessions.delete("one");
    await state.sessions.create({ ...session, createdAtMs: 1 });
    await end();
    await pass(10_000);
    expect(kept).toMatchObject([{ created_at: "1970-01-01T00:00:00.001Z" }]);
    expect(forgotten).toEqual([ofOne]);
  });

  it("takes nothing out of the archive where the session has expired meanwhile, because no host was there", async () => {
    const { startHost, end, pass, kept, forgotten, errors } = await rig();
    await end();
    await pass(25 * hour);
    startHost();
    await pass(3000);
    expect([kept, forgotten, errors]).toEqual([[], [], ["a conversation was not archived"]]);
  });

  it("gives an archive that does not answer five seconds when the host goes", async () => {
    const { startHost, end, refusals, pass, attempts, kept } = await rig();
    const archiver = startHost();
    refusals.hangs = true;
    await end();
    archiver.left("one");
    await pass(3000);
    let isClosed = false;
    void archiver.close().then(() => (isClosed = true));
    await pass(4500);
    expect([attempts(), isClosed]).toEqual([1, false]);
    await pass(1000);
    expect(isClosed).toBe(true);
    refusals.hangs = false;
    startHost();
    await pass(60_000);
    expect(kept).toMatchObject([{ session_id: "one" }]);
  });

  it("archives what has ended just now when its host goes, and leaves it to others where that fails", async () => {
    const { startHost, end, pass, kept, clock } = await rig();
    const archiver = startHost();
    await end();
    archiver.left("one");
    await archiver.close();
    expect(kept).toMatchObject([{ session_id: "one" }]);
    await pass(100_000);
    expect([kept.length, clock.pendingTimers]).toEqual([1, 0]);

    const away = await rig({ failures: 1 });
    const leaving = away.startHost();
    await away.end();
    leaving.left("one");
    await leaving.close();
    expect(away.kept).toEqual([]);
    away.startHost();
    await away.pass(3000);
    expect(away.kept).toHaveLength(1);
  });
});
