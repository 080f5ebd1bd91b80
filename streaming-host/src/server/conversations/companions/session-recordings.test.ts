import { anonymous } from "@voice/shared/auth/caller";
import { recordedTranscript } from "@voice/shared/contracts/http/recordings";
import { loadSettings } from "@voice/shared/config/load";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { noTelemetry, type Telemetry } from "@voice/shared/telemetry/telemetry";
import type { Channel, SessionRecording, StreamingMode } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import type { ConversationRequest } from "../../../session/conversation/open-conversation.ts";
import { conversationsRig } from "../../../testing/conversations-rig.ts";
import { FakeTransport } from "../../../testing/fake-transport.ts";
import { MemoryRecordingStore } from "../../../testing/memory-recording-store.ts";
import { SessionRecordings, withRecording } from "./session-recordings.ts";

const notice = "This call is recorded.";

interface RigOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly state?: ReturnType<typeof createMemoryState>;
  readonly clock?: VirtualClock;
  readonly store?: MemoryRecordingStore;
  readonly hostId?: string;
}

/** A host's conversations on fakes, and the storage of their recordings. */
function rig(options: RigOptions = {}) {
  const clock = options.clock ?? new VirtualClock();
  const state = options.state ?? createMemoryState({ clock, logger: silentLogger });
  const store = options.store ?? new MemoryRecordingStore();
  const environment = { RECORDING_ENABLED: "1", ...options.environment };
  const counted: string[] = [];
  const telemetry: Telemetry = {
    ...noTelemetry,
    count: (name, attributes = {}, value = 1) =>
      void counted.push([name, value, ...Object.values(attributes)].join(" ")),
  };
  const recordings = new SessionRecordings({ settings: loadSettings(environment), state, telemetry, clock }, store);
  const host = conversationsRig({
    environment,
    clock,
    state,
    hostId: options.hostId ?? "host-1",
    msPerCharacter: 20,
    options: { recordings },
  });
  const { conversations, recogniser, synthesiser, realtimeModel: model } = host;

  async function start(
    request: Partial<ConversationRequest> = {},
    { mode = "MEDIA", channel = "phone" }: { readonly mode?: StreamingMode; readonly channel?: Channel } = {},
  ) {
    const transport = Object.assign(new FakeTransport(clock, mode === "VOICE_LIVE" ? 24_000 : 16_000), { channel });
    const session = await conversations.claim({
      transport,
      request: { caller: anonymous, owner: undefined, channel, streamingMode: mode, ...request },
      onOpened: () => undefined,
    });
    const { sessionId } = session.conversation;

    async function hear(ms: number, level = 0): Promise<void> {
      for (let heardMs = 0; heardMs < ms; heardMs += 20) {
        await clock.advanceAsync(20, 10);
        session.onAudio(new Int16Array(transport.sampleRateHz / 50).fill(level));
      }
    }
    async function hangUp(): Promise<void> {
      await session.close("finished");
      const closing = recordings.close();
      await clock.advanceAsync(100, 20);
      await closing;
    }
    async function listed(): Promise<readonly SessionRecording[]> {
      const record = await state.sessions.get(sessionId);
      return typeof record === "string" ? [] : (record.recordings ?? []);
    }
    async function said(): Promise<string[]> {
      const [recording] = (await listed()).slice(-1);
      const text = await store.transcript({ sessionId, recordingId: recording?.recordingId ?? "none" });
      return recordedTranscript.parse(JSON.parse(text ?? "")).entries.map((entry) => `${entry.speaker}: ${entry.text}`);
    }
    return { transport, session, sessionId, hear, hangUp, listed, said };
  }
  return { clock, state, store, start, counted, recogniser, synthesiser, model };
}

describe("the session's list of recordings", () => {
  it.each([
    [{ RECORDING_ENABLED: "1" }, undefined, 1],
    [{ RECORDING_ENABLED: "0" }, undefined, 0],
    [{ RECORDING_ENABLED: "0" }, true, 1],
    [{ RECORDING_ENABLED: "1" }, false, 0],
  ])("[REC-1] with %o and a call that asks for %s: %i recordings", async (environment, isRecorded, count) => {
    const { start } = rig({ environment });
    const { hear, hangUp, listed } = await start({ isRecorded });
    await hear(1000);
    await hangUp();
    expect(await listed()).toHaveLength(count);
  });

  it("[REC-8] is listed in the session while it runs and after it has ended", async () => {
    const { start, counted } = rig();
    const { hear, hangUp, listed } = await start();
    await hear(2000);
    expect(await listed()).toMatchObject([{ status: "recording", channels: 2, sampleRateHz: 16_000 }]);
    await hangUp();
    expect(await listed()).toMatchObject([{ status: "complete", durationMs: 2000, lostMs: 0 }]);
    expect(counted).toEqual(["voice.recording.ended 1 complete"]);
  });

  it("[REC-8] [ACCESS-20a] is not given to a later session that has come to have the id", async () => {
    const { start, state, clock } = rig();
    const { hear, hangUp, listed, session, sessionId } = await start();
    await hear(2000);
    await state.sessions.delete(sessionId);
    await state.sessions.create({ ...session.conversation.record, recordings: [], createdAtMs: clock.wallNow() });
    await hangUp();
    expect(await listed()).toEqual([]);
  });
});

describe("the announcement", () => {
  const environment = { RECORDING_ANNOUNCEMENT: notice };

  it("[REC-3a] is the first thing that is said, and the greeting follows", async () => {
    const { start } = rig({ environment });
    const { hear, hangUp, said, session } = await start();
    await hear(6000);
    await hangUp();
    expect((await said()).slice(0, 2)).toEqual([`agent: ${notice}`, "agent: Thank you for calling Harbor Bank."]);
    // The service's words, not the agent's.
    expect(session.conversation.knownHistory[0]).toMatchObject({ role: "system", content: notice });
  });

  it("[REC-3a] [REC-3b] cannot be cut off by words or by typing, and they are answered", async () => {
    const { start, recogniser } = rig({ environment });
    const { hear, hangUp, said, session, transport } = await start();
    await hear(200, 900);
    recogniser.last.final("hello is anybody there");
    session.handle({ type: "whole-turn", text: "I typed" });
    await hear(500);
    expect(transport.stops).toEqual([]);
    await hear(8000);
    await hangUp();
    const lines = await said();
    expect(lines).toContain(`agent: ${notice}`);
    expect(lines.at(-1)).toBe("agent: You said hello is anybody there I typed.");
  });

  it("[REC-3d] ends the recording when it cannot be spoken", async () => {
    const { start, synthesiser } = rig({ environment });
    synthesiser.failure = new VoiceError("upstream_unavailable", "mute");
    const { hear, hangUp, listed } = await start();
    await hear(500);
    synthesiser.failure = undefined;
    await hear(3000, 900);
    await hangUp();
    expect(await listed()).toEqual([]);
  });

  it("[REC-3a] is spoken by a realtime model as well, and is not cut off by the caller", async () => {
    const { start, model, clock } = rig({ environment });
    const { hear, hangUp, said, transport, listed } = await start({}, { mode: "VOICE_LIVE" });
    await clock.advanceAsync(10);
    expect(model.log).toEqual([`respond ${notice}`]);
    await hear(500, 900);
    expect(await listed()).toEqual([]);
    model.answer("a", notice, 1000);
    await hear(300);
    model.emit({ type: "speech-started", itemId: "u", atMs: 500 });
    expect(transport.stops).toEqual([]);
    await hear(1000);
    expect(model.log.at(-1)).toContain("respond Thank you for calling");
    model.answer("b", "Thank you for calling.", 1000);
    await hear(1500);
    model.emit({ type: "speech-started", itemId: "v", atMs: 3000 });
    await hear(500);
    model.emit({ type: "speech-stopped", itemId: "v", atMs: 3400 });
    model.emit({ type: "user-transcript", itemId: "v", text: "my card", isFinal: true });
    await hear(1000);
    await hangUp();
    expect(await said()).toEqual([`agent: ${notice}`, "agent: Thank you for calling.", "caller: my card"]);
    expect(await listed()).toMatchObject([{ sampleRateHz: 24_000, status: "complete" }]);
  });
});

describe("a conversation that is only written down", () => {
  it("[REC-2a] [REC-3f] has the caller's side alone, and nobody to announce it", async () => {
    const { start, recogniser } = rig({ environment: { RECORDING_ANNOUNCEMENT: notice } });
    const { hear, hangUp, said, listed } = await start({}, { mode: "TRANSCRIPTION" });
    await hear(1000, 900);
    recogniser.last.final("i lost my card");
    await hear(500);
    await hangUp();
    expect(await listed()).toMatchObject([{ channels: 1, durationMs: 1500 }]);
    expect(await said()).toEqual(["caller: i lost my card"]);
  });
});

describe("a call that another host takes over", () => {
  it("[REC-7] goes on in a further recording, without being announced again", async () => {
    const environment = { RECORDING_ANNOUNCEMENT: notice };
    const before = rig({ environment });
    const { clock, state, store } = before;
    const lost = await before.start();
    await lost.hear(8000);
    // The host is gone: nobody closes anything.
    const after = rig({ environment, clock, state, store, hostId: "host-2" });
    const taken = await after.start({ sessionId: lost.sessionId });
    await taken.hear(2000);
    expect(await taken.listed()).toMatchObject([{ status: "interrupted" }, { status: "recording" }]);
    taken.session.handle({ type: "whole-turn", text: "my card" });
    await taken.hear(3000);
    await taken.hangUp();
    expect(await taken.said()).toEqual(["caller: my card", "agent: You said my card."]);
    const [first, second] = await taken.listed();
    expect([first?.status, second?.status]).toEqual(["interrupted", "complete"]);
    const kept = await store.find({ sessionId: lost.sessionId, recordingId: first?.recordingId ?? "none" });
    expect(kept?.dataBytes).toBeGreaterThan(5 * 64_000);
  });

  it("[REC-3d] is not recorded by the next host if its caller has not heard the announcement", async () => {
    const before = rig({ environment: { RECORDING_ENABLED: "0" } });
    const { clock, state, store } = before;
    const lost = await before.start();
    await lost.hear(8000);
    const environment = { RECORDING_ANNOUNCEMENT: notice };
    const after = rig({ environment, clock, state, store, hostId: "host-2" });
    const taken = await after.start({ sessionId: lost.sessionId });
    await taken.hear(3000, 900);
    await taken.hangUp();
    expect(taken.transport.heard.map(({ text }) => text)).not.toContain(notice);
    expect(await taken.listed()).toEqual([]);
  });

  it("[REC-3e] is not told twice, although the agent that has the call knows nothing of what was said before", async () => {
    const environment = { RECORDING_ANNOUNCEMENT: notice };
    const before = rig({ environment });
    const { clock, state, store } = before;
    const lost = await before.start();
    await lost.hear(8000);
    const record = await state.sessions.get(lost.sessionId);
    if (typeof record === "string") throw new Error("there is no session");
    const knownFrom = (await state.sessions.history(lost.sessionId)).length;
    await state.sessions.update(lost.sessionId, record.version, { knownFrom });
    const after = rig({ environment, clock, state, store, hostId: "host-2" });
    const taken = await after.start({ sessionId: lost.sessionId });
    await taken.hear(3000);
    await taken.hangUp();
    expect(taken.transport.heard.map(({ text }) => text)).not.toContain(notice);
    expect((await taken.listed()).map(({ status }) => status)).toEqual(["interrupted", "complete"]);
  });

  it("[REC-3e] [HOOK-9e] is not told twice by a platform's call that goes on after it was lost", async () => {
    const { start } = rig({ environment: { RECORDING_ANNOUNCEMENT: notice } });
    const lost = await start({}, { channel: "telephony" });
    await lost.hear(8000);
    await lost.hangUp();
    const { hear, hangUp, transport, listed } = await start({ sessionId: lost.sessionId }, { channel: "telephony" });
    await hear(3000);
    await hangUp();
    expect(lost.transport.heard.map(({ text }) => text)).toContain(notice);
    expect(transport.heard.map(({ text }) => text)).not.toContain(notice);
    expect((await listed()).map(({ status }) => status)).toEqual(["complete", "complete"]);
  });

  it("[REC-7] says how each ended, in whatever order that becomes known", () => {
    const recording = (
      recordingId: string,
      startedAtMs: number,
      status: SessionRecording["status"],
    ): SessionRecording => ({
      recordingId,
      startedAtMs,
      status,
      sampleRateHz: 16_000,
      channels: 2,
    });
    const started = withRecording([recording("a", 1, "recording")], recording("b", 2, "recording"));
    const ended = withRecording(started, recording("a", 1, "complete"));
    expect(ended.map(({ recordingId, status }) => `${recordingId} ${status}`)).toEqual(["a complete", "b recording"]);
  });
});

describe("a storage that is away", () => {
  it("[REC-6] does not disturb the conversation, and is counted and logged", async () => {
    const { start, store, recogniser, counted } = rig();
    store.failure = new VoiceError("upstream_unavailable", "away");
    const { hear, session, transport, listed } = await start();
    await hear(7000);
    recogniser.last.final("hello there");
    await hear(4000);
    expect(transport.heard.at(-1)).toMatchObject({ text: "You said hello there.", interrupted: false });
    await session.close("finished");
    await hear(11_000);
    expect(await listed()).toMatchObject([{ status: "failed", durationMs: 11_000 }]);
    expect(counted.filter((line) => line.startsWith("voice.recording.storage_failures")).length).toBeGreaterThan(1);
    expect(counted).toContain("voice.recording.ended 1 failed");
  });

  it("[REC-6] keeps no closing host waiting for longer than it takes to give up", async () => {
    const { start, store, clock } = rig();
    store.gate = new Promise(() => undefined);
    const { hear, session, hangUp } = await start();
    await hear(1000);
    const closing = hangUp();
    await clock.advanceAsync(11_000, 100);
    await closing;
    expect(session.conversation.record.status).toBe("ended");
  });
});
