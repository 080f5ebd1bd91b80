import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { describe, expect, it } from "vitest";
import { MemoryRecordingStore } from "../../../testing/memory-recording-store.ts";
import { recordingBeginner } from "./begin-recording.ts";

const id = { sessionId: "session-1", recordingId: "recording-1" };
const format = { sampleRateHz: 16_000, channels: 2 } as const;

function rig({ sessions }: { readonly sessions?: Pick<SessionStore, "get"> } = {}) {
  const clock = new VirtualClock();
  const memory = createMemoryState({ clock }).sessions;
  const store = new MemoryRecordingStore();
  const errors: string[] = [];
  const leaving = new AbortController();
  const begin = recordingBeginner(id, format, {
    store,
    sessions: sessions ?? memory,
    clock,
    logger: { ...silentLogger, error: (_fields, message) => void errors.push(message) },
    track: () => undefined,
    leaving: leaving.signal,
  });
  return { clock, sessions: memory, store, errors, leaving, begin };
}

describe("the beginning of a recording", () => {
  it("[REC-9] brings no recording back for a session that was deleted before the first write", async () => {
    const { sessions, store, begin } = rig();
    await sessions.create(newSession(id.sessionId, 0));
    await begin();
    expect(await store.find(id)).toBeDefined();
    await store.deleteAll(id.sessionId);
    await sessions.delete(id.sessionId);
    await expect(begin()).rejects.toMatchObject({ code: "not_found" });
    expect(await store.find(id)).toBeUndefined();
  });

  it("[REC-9] leaves no recording behind where a session is being deleted and its recordings already are", async () => {
    const { sessions, store, begin } = rig();
    const { version } = await sessions.create(newSession(id.sessionId, 0));
    await sessions.update(id.sessionId, version, { deletionBegun: true });
    await expect(begin()).rejects.toMatchObject({ code: "not_found" });
    expect(await store.find(id)).toBeUndefined();
  });

  it("[REC-9] leaves other recordings under the session's id alone, which may be somebody else's", async () => {
    const { sessions, store, begin } = rig();
    const other = { ...id, recordingId: "recording-0" };
    await store.create(other, format);
    await sessions.create(newSession(id.sessionId, 0));
    await sessions.delete(id.sessionId);
    await expect(begin()).rejects.toMatchObject({ code: "not_found" });
    expect([await store.find(id), typeof (await store.find(other))]).toEqual([undefined, "object"]);
  });

  it("[REC-6] does not wait for a state store that is away", async () => {
    const { store, begin } = rig({
      sessions: { get: () => Promise.reject(new VoiceError("cache_connection_failed", "away")) },
    });
    await begin();
    expect(await store.find(id)).toBeDefined();
  });

  /** The session is deleted between the look at it and the first write, and the storage then refuses to delete. */
  async function createdTooLate(refusals: number) {
    const { sessions, store, ...rest } = rig();
    await sessions.create(newSession(id.sessionId, 0));
    const { create, deleteAll } = { create: store.create.bind(store), deleteAll: store.deleteAll.bind(store) };
    store.create = async (...args) => {
      await sessions.delete(id.sessionId);
      return create(...args);
    };
    let left = refusals;
    store.deleteAll = async (...args) => {
      if (left-- > 0) throw new VoiceError("upstream_unavailable", "away");
      return deleteAll(...args);
    };
    return { store, ...rest };
  }

  it("[REC-9] ends at once where the session was deleted, and takes away what was created as soon as the storage lets it", async () => {
    const { begin, store, clock, errors } = await createdTooLate(5);
    await expect(begin()).rejects.toMatchObject({ code: "not_found" });
    expect(await store.find(id)).toBeDefined();
    await clock.advanceAsync(31_000, 500);
    expect([await store.find(id), errors, clock.pendingTimers]).toEqual([undefined, [], 0]);
  });

  it("[REC-9] tries once more when the host goes, and says what may be left when it gives up", async () => {
    const lucky = await createdTooLate(1);
    await expect(lucky.begin()).rejects.toMatchObject({ code: "not_found" });
    lucky.leaving.abort();
    await lucky.clock.advanceAsync(0);
    expect([await lucky.store.find(id), lucky.errors]).toEqual([undefined, []]);
    const failed = await createdTooLate(Infinity);
    await expect(failed.begin()).rejects.toMatchObject({ code: "not_found" });
    await failed.clock.advanceAsync(700_000, 1000);
    expect(failed.errors).toEqual(["an empty recording of a deleted session may be left in the storage"]);
    expect(failed.clock.pendingTimers).toBe(0);
  });
});
