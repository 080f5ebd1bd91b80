import type { ArchivedConversation, ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger, type Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { NewSession } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { createConversationArchiver } from "./conversation-archiver.ts";

async function rig(failures: number) {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const session: NewSession = {
    sessionId: "one",
    channel: "phone",
    streamingMode: "MEDIA",
    scenario: "default",
    activeAgent: "front-desk",
    visitedAgents: [],
    status: "ended",
    callConnectionId: "connection-1",
    memory: {},
    createdAtMs: 0,
  };
  await sessions.create(session);
  const kept: ArchivedConversation[] = [];
  const forgotten: string[] = [];
  let whileKeeping = (): Promise<unknown> => Promise.resolve();
  let attempts = 0;
  let forgetRefusals = 0;
  const refuseToForget = (times: number): void => void (forgetRefusals = times);
  const archive: ConversationArchive = {
    async keep(conversation) {
      attempts += 1;
      if (attempts <= failures) throw new VoiceError("upstream_unavailable", "away");
      kept.push(conversation);
      await whileKeeping();
    },
    conversationsOf: () => Promise.resolve([]),
    read: () => Promise.resolve(undefined),
    list: () => Promise.resolve({ sessions: [], total: 0 }),
    forget: async ({ sessionId, createdAt }) => {
      if (forgetRefusals-- > 0) throw new VoiceError("upstream_unavailable", "away");
      forgotten.push(`${sessionId} of ${createdAt}`);
      return true;
    },
  };
  const errors: unknown[] = [];
  const logger: Logger = {
    ...silentLogger,
    child: () => logger,
    error: (fields) => void errors.push(fields),
  };
  const counts: unknown[] = [];
  const telemetry = { count: (_name: string, attributes?: object) => void counts.push(attributes) };
  const retry = { backoffFactor: 2, jitter: false };
  const archiver = createConversationArchiver({
    archive,
    sessions,
    retry,
    random: () => 0.5,
    telemetry,
    clock,
    logger,
  });
  const meanwhile = (happens: () => Promise<unknown>): void => void (whileKeeping = happens);
  return {
    archiver,
    clock,
    sessions,
    session,
    kept,
    forgotten,
    refuseToForget,
    meanwhile,
    errors,
    counts,
    attempts: () => attempts,
  };
}

describe("the archiver", () => {
  it("keeps a conversation with the call that carried it", async () => {
    const { archiver, clock, kept } = await rig(0);
    archiver.keep("one");
    await archiver.close();
    expect(kept).toMatchObject([{ session_id: "one", call_connection_id: "connection-1", turns: [] }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("forgets a conversation that was deleted while it was written", async () => {
    const { archiver, sessions, meanwhile, forgotten } = await rig(0);
    archiver.keep("one");
    await archiver.close();
    expect(forgotten).toEqual([]);
    meanwhile(() => sessions.delete("one"));
    archiver.keep("one");
    await archiver.close();
    expect(forgotten).toEqual(["one of 1970-01-01T00:00:00.000Z"]);
  });

  it("forgets a conversation that was deleted while it was written, also where the archive was away just then", async () => {
    const { archiver, clock, sessions, meanwhile, refuseToForget, forgotten } = await rig(0);
    meanwhile(() => sessions.delete("one"));
    refuseToForget(2);
    archiver.keep("one");
    await clock.advanceAsync(2000, 10);
    await archiver.close();
    expect(forgotten).toEqual(["one of 1970-01-01T00:00:00.000Z"]);
  });

  it("forgets what an attempt may have written without being told so, where the session was deleted before the next", async () => {
    const { archiver, clock, sessions, forgotten, attempts } = await rig(1);
    archiver.keep("one");
    await clock.advanceAsync(0);
    await sessions.delete("one");
    await clock.advanceAsync(2000, 10);
    await archiver.close();
    expect([attempts(), forgotten]).toEqual([1, ["one of 1970-01-01T00:00:00.000Z"]]);
  });

  it("forgets a conversation that was deleted while it was written, also where its id is in use again", async () => {
    const { archiver, sessions, session, meanwhile, forgotten } = await rig(0);
    meanwhile(async () => {
      await sessions.delete("one");
      await sessions.create({ ...session, createdAtMs: 1 });
    });
    archiver.keep("one");
    await archiver.close();
    expect(forgotten).toEqual(["one of 1970-01-01T00:00:00.000Z"]);
  });

  it("forgets a conversation whose deletion began while it was written, and keeps none after that", async () => {
    const { archiver, sessions, meanwhile, forgotten, attempts } = await rig(0);
    meanwhile(() => sessions.update("one", 1, { deletionBegun: true }));
    archiver.keep("one");
    await archiver.close();
    archiver.keep("one");
    await archiver.close();
    expect([forgotten, attempts()]).toEqual([["one of 1970-01-01T00:00:00.000Z"], 1]);
  });

  it("writes a conversation that ended again after its first end was written", async () => {
    const { archiver, sessions, meanwhile, kept } = await rig(0);
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    meanwhile(() => {
      begin();
      return finished;
    });
    archiver.keep("one");
    await begun;
    await sessions.update("one", 1, { activeAgent: "card-specialist" });
    archiver.keep("one");
    await sessions.update("one", 2, { activeAgent: "back-office" });
    finish();
    await archiver.close();
    expect(kept.map(({ active_agent }) => active_agent)).toEqual(["front-desk", "back-office"]);
  });

  it("tries again with growing pauses, and after ten minutes gives up and says so", async () => {
    const worked = await rig(3);
    worked.archiver.keep("one");
    await worked.clock.advanceAsync(350, 10);
    expect(worked.attempts()).toBe(3);
    await worked.clock.advanceAsync(1000, 10);
    expect([worked.attempts(), worked.kept.length, worked.errors.length]).toEqual([4, 1, 0]);
    const failed = await rig(Infinity);
    failed.archiver.keep("one");
    await failed.clock.advanceAsync(590_000, 100);
    expect(failed.errors).toEqual([]);
    await failed.clock.advanceAsync(30_000, 100);
    expect(failed.errors).toMatchObject([{ code: "upstream_unavailable" }]);
    expect([worked.counts, failed.counts]).toEqual([[{ outcome: "kept" }], [{ outcome: "given_up" }]]);
    expect(failed.attempts()).toBeLessThan(80);
    expect(failed.clock.pendingTimers).toBe(0);
  });

  it("does not keep what was deleted", async () => {
    const { archiver, sessions, attempts } = await rig(0);
    await sessions.delete("one");
    archiver.keep("one");
    archiver.keep("never-was");
    await archiver.close();
    expect(attempts()).toBe(0);
  });

  it("is waited for when the host goes, but not for ever", async () => {
    const { archiver, clock, errors } = await rig(Infinity);
    archiver.keep("one");
    let isClosed = false;
    void archiver.close().then(() => (isClosed = true));
    await clock.advanceAsync(300);
    expect(isClosed).toBe(false);
    await clock.advanceAsync(5000);
    expect(isClosed).toBe(true);
    expect(errors).toHaveLength(1);
  });
});
