import type { ArchivedConversation, ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import { describe, expect, it } from "vitest";
import { findMetrics, findSession } from "./describe-conversation.ts";
import { findConversation } from "./find-conversation.ts";
import { findRecording } from "./session-recording.ts";

const sessionId = "session-of-many";
const hour = 3_600_000;
const toIso = (ms: number): string => new Date(ms).toISOString();
const callerOf = (subject: string, isOperator = false) => ({
  subject,
  isOperator,
  mayPlaceCalls: false,
  mayMakeAgents: false,
});
const ada = callerOf("ada");

function archived(createdAtMs: number, owner: string): ArchivedConversation {
  const at = toIso(createdAtMs);
  return {
    session_id: sessionId,
    status: "ended",
    end_reason: "caller_left",
    scenario: "banking",
    active_agent: "concierge",
    conversation_history: [],
    channel: "browser",
    user_email: null,
    streaming_mode: "REALTIME",
    created_at: at,
    last_activity_at: at,
    memory: {},
    recordings: [
      {
        recording_id: `recording-${owner}-${createdAtMs}`,
        status: "complete",
        started_at: at,
        duration_ms: 100,
        lost_ms: 0,
        sample_rate: 16_000,
        channels: ["caller", "agent"],
      },
    ],
    cost: null,
    failures: [],
    usage: [],
    turns: [{ turn_id: "turn-1", agent: "concierge", timestamp: at, marks: { first_audio: createdAtMs }, why: [] }],
    owner,
    archived_at: at,
    call_connection_id: null,
  };
}

/** Ada had two conversations under the id and has a third one; Bob had one in between. */
async function rig() {
  const state = createMemoryState({ clock: new VirtualClock(4 * hour) });
  const kept = [archived(3 * hour, "bob"), archived(2 * hour, "ada"), archived(hour, "ada")];
  const archive: ConversationArchive = {
    keep: async () => undefined,
    conversationsOf: async () =>
      kept.map(({ created_at, owner }) => ({
        sessionId,
        createdAt: created_at,
        owner: owner ?? undefined,
        recordingIds: [],
      })),
    read: async ({ createdAt }) => kept.find(({ created_at }) => created_at === createdAt),
    list: async () => ({ sessions: [], total: 0 }),
    forget: async () => false,
  };
  const recordings: RecordingStore = {
    kind: "memory",
    flushIntervalMs: 1000,
    create: () => Promise.reject(new Error("nothing is recorded here")),
    find: async ({ recordingId }) =>
      recordingId.endsWith(`-${hour}`) ? { sampleRateHz: 16_000, channels: 2, dataBytes: 6400 } : undefined,
    read: async () => new Uint8Array(6400),
    transcript: async () => undefined,
    check: async () => undefined,
    deleteAll: async () => false,
  };
  const dependencies = { state, archive: async () => archive, recordings: async () => recordings };
  await state.sessions.create({ ...newSession(sessionId, 4 * hour), owner: "ada" });
  const metrics = { turnId: "turn-1", agent: "concierge", timestampMs: 0, marks: { first_audio: 4 * hour } };
  await state.sessions.appendTurn(sessionId, { items: [said("turn-1", "newest", 0)], metrics, appendId: "1" });
  return { state, dependencies };
}

const ask = (created_at?: string, caller = ada) => ({ session_id: sessionId, created_at, caller });

describe("a conversation whose id others have had before", () => {
  it("[ACCESS-20b] is the newest that the caller may see, unless the time of its creation names another one", async () => {
    const { dependencies } = await rig();
    const created = async (...asked: Parameters<typeof ask>) =>
      (await findSession(ask(...asked), dependencies)).created_at;
    expect(await created()).toBe(toIso(4 * hour));
    expect(await created(undefined, callerOf("bob"))).toBe(toIso(3 * hour));
    for (const ms of [hour, 2 * hour, 4 * hour]) expect(await created(toIso(ms))).toBe(toIso(ms));
    expect(await created("1970-01-01T01:00:00Z")).toBe(toIso(hour));
    expect(await created(toIso(3 * hour), callerOf("olga", true))).toBe(toIso(3 * hour));
  });

  it("[ACCESS-20b] is not shown to others who name it, and one that there never was is told from it", async () => {
    const { dependencies } = await rig();
    const stranger = findConversation(ask(toIso(3 * hour)), dependencies);
    await expect(stranger).rejects.toMatchObject({ code: "forbidden" });
    const strangerNow = findConversation(ask(toIso(4 * hour), callerOf("bob")), dependencies);
    await expect(strangerNow).rejects.toMatchObject({ code: "forbidden" });
    const never = findConversation(ask(toIso(7 * hour)), dependencies);
    await expect(never).rejects.toMatchObject({ code: "not_found" });
  });

  it("[ACCESS-20b] has its own words, turns and recordings", async () => {
    const { dependencies } = await rig();
    const words = async (createdAt?: string) =>
      (await findSession(ask(createdAt), dependencies)).conversation_history.map(({ content }) => content);
    expect([await words(), await words(toIso(hour))]).toEqual([["newest"], []]);
    const firstAudio = async (createdAt?: string) =>
      (await findMetrics(ask(createdAt), dependencies)).latency_summary["first_audio"]?.max;
    expect([await firstAudio(), await firstAudio(toIso(hour))]).toEqual([4 * hour, hour]);

    const { joined } = await findRecording(ask(toIso(hour)), dependencies);
    expect(joined.segments).toMatchObject([{ recordingId: `recording-ada-${hour}` }]);
    await expect(findRecording(ask(), dependencies)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is found in the archive when its day is over, with its turns and recordings", async () => {
    const { dependencies, state } = await rig();
    await state.sessions.delete(sessionId);
    expect((await findMetrics(ask(), dependencies)).turns).toHaveLength(1);
    expect(await findConversation(ask(), dependencies)).toMatchObject({ archived: { created_at: toIso(2 * hour) } });
  });
});
