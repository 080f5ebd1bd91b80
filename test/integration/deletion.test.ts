/** Deleting a session, after everything that a conversation can leave behind has been written. */
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { atOnce } from "@voice/shared/platform/steps";
import { describeSession, describeTurns } from "@voice/shared/archive/describe-session";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createRecordingId } from "@voice/shared/recordings/recording-owner";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import type { State } from "@voice/shared/state/ports/state";
import { announceState, receiverOf } from "@voice/shared/webhooks/announced-state";
import { describe, expect, it, onTestFinished } from "vitest";
import { MemoryRecordingStore } from "../../streaming-host/src/testing/memory-recording-store.ts";
import { startDocumentStore } from "../fakes/document-store.ts";
import { readKeys } from "../release/stored-keys.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startApi } from "./http/api-harness.ts";

/** Whoever called, as the number, the context and the customer's document have it. */
const stranger = "Quince Quillfeather";
const strangersNumber = "+12065550177";
const sessionId = "session-of-everything";
/** Stands in everything that is personal. */
const word = "marmalade";

async function leaveEverything(state: State): Promise<void> {
  const nowMs = Date.now();
  const { version } = await state.sessions.create({
    sessionId,
    owner: word,
    channel: "phone",
    streamingMode: "MEDIA",
    scenario: "banking",
    activeAgent: "BankingConcierge",
    visitedAgents: [],
    status: "active",
    userEmail: `${word}@example.com`,
    memory: { said: word },
    createdAtMs: nowMs,
  });
  const turn = { turnId: "turn-1", agent: "BankingConcierge", timestampMs: nowMs };
  await state.sessions.appendTurn(sessionId, {
    items: [{ ...turn, role: "user", content: word, interrupted: false }],
    metrics: { ...turn, marks: { first_audio_ms: 700 } },
    appendId: "append-1",
  });
  await state.agents.create(sessionId, "OwnAgent", { prompt: word });
  await state.scenarios.create(sessionId, "own-scenario", { about: word });
  for (const log of [state.flightLog, state.messageLog, state.requestLog])
    await log.append(sessionId, JSON.stringify({ heard: word }), 10);
  await state.profiles.create({ profileId: "profile-1", document: { full_name: stranger }, sessionId });
  await state.sessions.update(sessionId, version, {
    status: "ended",
    callConnectionId: "connection-1",
    profileId: "profile-1",
  });
  await state.calls.create({
    callId: "call-1",
    callConnectionId: "connection-1",
    owner: word,
    status: "connected",
    direction: "inbound",
    targetNumber: "+12065550100",
    callerNumber: strangersNumber,
    context: { name: stranger },
    streamingMode: "MEDIA",
    recording: true,
    participants: [{ id: "p", phoneNumber: strangersNumber, role: "caller", status: "connected" }],
    sessionId,
    createdAtMs: nowMs,
  });
  await state.calls.update("call-1", 1, { status: "disconnected", endedAtMs: nowMs });
}

describe.skipIf(!isRedisAvailable())("deleting a session", () => {
  it("[WEBHOOK-7] [ACCESS-26] reaches its state, its archived conversation, its recordings and what is still to be delivered", async () => {
    const [redis, documents] = await Promise.all([startRedisServer(), startDocumentStore()]);
    onTestFinished(async () => {
      await redis.stop();
      await documents.close();
    });
    const clock = systemClock;
    const store = await openRedisState(redis.endpoint, { clock, logger: silentLogger });
    const state = announceState(store, ["https://crm.example/"], "https://voice.example", clock);
    const tokens = () => () => Promise.resolve("of-entra");
    const archive = createCosmosArchive({ endpoint: documents.url, database: "voice", tokens, scope: "of-cosmos" });
    const recordings = new MemoryRecordingStore();
    const api = await startApi(
      {},
      { state, archive: () => Promise.resolve(archive), recordings: () => Promise.resolve(recordings) },
    );
    onTestFinished(() => api.close());

    await leaveEverything(state);
    const session = await state.sessions.get(sessionId);
    if (typeof session === "string") throw new Error("the session was not stored");
    await archive.keep(
      {
        ...atOnce(describeSession(session, await state.sessions.history(sessionId))),
        turns: describeTurns(await state.sessions.metrics(sessionId)),
        owner: word,
        archived_at: new Date().toISOString(),
        call_connection_id: null,
      },
      new AbortController().signal,
    );
    const recordingId = createRecordingId(session, Date.now());
    await recordings.create({ sessionId, recordingId }, { sampleRateHz: 8000, channels: 2 });
    const mentions = async (): Promise<string[]> => {
      const keys = (await readKeys(redis.admin())).filter((key) =>
        JSON.stringify(key).match(/session-of-every|marmal/),
      );
      return keys.map(({ key }) => key.replace(/^voice:/, ""));
    };
    const before = await mentions();
    const left = [
      "record",
      "turns",
      "metrics",
      "agents",
      "scenarios",
      "flight",
      "messages",
      "requests",
      "{webhooks}:delivery",
    ];
    expect(left.filter((what) => !before.some((key) => key.includes(what)))).toEqual([]);

    expect((await api.call("DELETE", `/api/v1/sessions/${sessionId}`)).status).toBe(200);
    // The call's record, and its place in its owner's list, end seven days after the call (docs/security.md).
    const kept = [
      "session:{session-of-everything}:tombstone",
      `{calls}:of:${word}`,
      "{calls}:record:call-1",
      "audit:records", // who deleted it
    ];
    expect((await mentions()).toSorted()).toEqual(kept.toSorted());
    const ofStranger = (await readKeys(redis.admin())).filter((key) =>
      [stranger, strangersNumber].some((marker) => JSON.stringify(key).includes(marker)),
    );
    expect(ofStranger).toEqual([]);
    expect([documents.documents.size, documents.entries.size]).toEqual([0, 0]);
    expect(await recordings.find({ sessionId, recordingId })).toBeUndefined();
    expect(await state.webhooks.take(receiverOf("https://crm.example/"), 10, 1000)).toEqual([]);
  });
});
