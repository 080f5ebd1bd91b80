import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { describe, expect, it } from "vitest";
import { MemoryRecordingStore } from "../../../testing/memory-recording-store.ts";
import { beginRecording } from "./begin-recording.ts";

const id = { sessionId: "session-1", recordingId: "recording-1" };
const format = { sampleRateHz: 16_000, channels: 2 } as const;

describe("the beginning of a recording", () => {
  it("[REC-9] brings no recording back for a session that was deleted before the first write", async () => {
    const { sessions } = createMemoryState({ clock: new VirtualClock() });
    const store = new MemoryRecordingStore();
    await sessions.create(newSession(id.sessionId, 0));
    await beginRecording(id, format, { store, sessions, logger: silentLogger });
    expect(await store.find(id)).toBeDefined();
    await store.deleteAll(id.sessionId);
    await sessions.delete(id.sessionId);
    const again = beginRecording(id, format, { store, sessions, logger: silentLogger });
    await expect(again).rejects.toMatchObject({ code: "not_found" });
    expect(await store.find(id)).toBeUndefined();
  });

  it("[REC-9] leaves no recording behind where a session is being deleted and its recordings already are", async () => {
    const { sessions } = createMemoryState({ clock: new VirtualClock() });
    const store = new MemoryRecordingStore();
    const { version } = await sessions.create(newSession(id.sessionId, 0));
    await sessions.update(id.sessionId, version, { deletionBegun: true });
    const beginning = beginRecording(id, format, { store, sessions, logger: silentLogger });
    await expect(beginning).rejects.toMatchObject({ code: "not_found" });
    expect(await store.find(id)).toBeUndefined();
  });

  it("[REC-9] leaves other recordings under the session's id alone, which may be somebody else's", async () => {
    const { sessions } = createMemoryState({ clock: new VirtualClock() });
    const store = new MemoryRecordingStore();
    const other = { ...id, recordingId: "recording-0" };
    await store.create(other, format);
    await sessions.create(newSession(id.sessionId, 0));
    await sessions.delete(id.sessionId);
    const beginning = beginRecording(id, format, { store, sessions, logger: silentLogger });
    await expect(beginning).rejects.toMatchObject({ code: "not_found" });
    expect([await store.find(id), typeof (await store.find(other))]).toEqual([undefined, "object"]);
  });

  it("[REC-6] does not wait for a state store that is away", async () => {
    const store = new MemoryRecordingStore();
    const sessions = { get: () => Promise.reject(new VoiceError("cache_connection_failed", "away")) };
    await beginRecording(id, format, { store, sessions, logger: silentLogger });
    expect(await store.find(id)).toBeDefined();
  });
});
