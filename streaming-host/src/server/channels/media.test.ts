import { describe, expect, it } from "vitest";
import { z } from "zod";
import { channelsRig } from "../../testing/channels-rig.ts";
import type { OpeningChannel } from "../../testing/channels-rig.ts";
import { closedWith } from "../../transports/close-reasons.ts";

const path = "/api/v1/media/stream?call_connection_id=connection-1";
const service = { "x-ms-call-connection-id": "connection-1" };
const frame = z.object({ Kind: z.string().optional(), type: z.string().optional() });

const refusal = z.object({
  type: z.string().optional(),
  payload: z.object({ message: z.string().optional() }).optional(),
});

function framesOf({ socket }: OpeningChannel) {
  return socket.sent.flatMap((data) => (typeof data === "string" ? [frame.parse(JSON.parse(data))] : []));
}

describe("the stream of a phone call", () => {
  it("[MEDIA-1] brings the call's session, scenario and mode, and is told to call control", async () => {
    const { open, createCall, sessionOf, streams } = channelsRig();
    const { sessionId } = await createCall();
    await open(path, service).connection;
    expect(await sessionOf(sessionId)).toMatchObject({ channel: "phone", streamingMode: "MEDIA", scenario: "banking" });
    expect(streams).toEqual(["call-1 connection-1"]);
  });

  it("[OUT-6d] tells the agent that it is we who call", async () => {
    const { open, createCall, sessionOf } = channelsRig();
    const { sessionId } = await createCall({ direction: "outbound", context: { caller_name: "Pat" } });
    await open(path, service).connection;
    const context = { caller_name: "Pat", call_direction: "outbound" };
    expect(await sessionOf(sessionId)).toMatchObject({ memory: { context } });
  });

  it.each([
    [1000, "caller_left"],
    [1006, "connection_lost"],
    [1013, "connection_lost"],
  ])("[HS-10c] that closed with %d ended because: %s", async (code, reason) => {
    const { open, createCall, pass, sessionOf } = channelsRig();
    const { sessionId } = await createCall();
    const opening = open(path, service);
    await opening.connection;
    await pass(500);
    opening.socket.onClose?.(closedWith(code));
    await pass(100);
    expect(await sessionOf(sessionId)).toMatchObject({ status: "ended", endReason: reason });
    const again = open(path, service);
    await again.connection;
    await pass(100);
    expect(await sessionOf(sessionId)).toMatchObject({ status: "active" });
  });

  it("carries the communication service's frames and nothing else", async () => {
    const { open, createCall, pass, recogniser } = channelsRig();
    await createCall();
    const opening = open(path, service);
    await opening.connection;
    await pass(500);
    recogniser.last.final("hello");
    opening.socket.deliver("{");
    opening.socket.deliver(JSON.stringify({ type: "text", text: "not for the service" }));
    opening.socket.deliver(JSON.stringify({ kind: "SomethingNew", somethingNew: { a: 1 } }));
    await pass(1000);
    const frames = framesOf(opening);
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.every(({ type, Kind }) => type === undefined && Kind === "AudioData")).toBe(true);
    expect(opening.socket.closedWith).toBeUndefined();
  });

  it("[BARGE-1] [BARGE-5] stops when the caller interrupts, and nothing of what was being said follows", async () => {
    const { open, createCall, pass, recogniser } = channelsRig({ msPerCharacter: 60 });
    await createCall();
    const opening = open(path, service);
    await opening.connection;
    await pass(500);
    const data = Buffer.from(new Int16Array(3200).fill(8000).buffer).toString("base64");
    opening.socket.deliver(JSON.stringify({ kind: "AudioData", audioData: { data, silent: false } }));
    recogniser.last.partial("please stop");
    await pass(400);
    const kinds = framesOf(opening).map(({ Kind }) => Kind);
    expect(kinds.indexOf("StopAudio")).toBeGreaterThan(0);
    expect(kinds.at(-1)).toBe("StopAudio");
  });

  it("[END-4] lasts no longer than a call may, counted from when it was connected", async () => {
    const environment = { COMM_MAX_CALL_DURATION: "60" };
    const { open, createCall, pass, clock, hangUps, state } = channelsRig({
      environment,
      options: { idleMs: 600_000 },
    });
    const { version } = await createCall();
    await state.calls.update("call-1", version, { connectedAtMs: clock.wallNow() - 30_000 });
    const opening = open(path, service);
    await opening.connection;
    await pass(29_000);
    expect(hangUps).toEqual([]);
    await pass(6000);
    expect(hangUps).toEqual(["connection-1 call_too_long"]);
    expect(opening.closes).toBe(1);
  });

  it("[DRAIN-3] is left to another host in the first quiet moment, and not hung up", async () => {
    const { open, createCall, pass, hangUps, sessionOf } = channelsRig({ msPerCharacter: 60 });
    const { sessionId } = await createCall();
    const opening = open(path, service);
    const connection = await opening.connection;
    await pass(500);
    connection.drain();
    await pass(500);
    expect(opening.socket.closedWith).toBeUndefined();
    await pass(10_000);
    expect(opening.socket.closedWith).toBe(1001);
    expect(hangUps).toEqual([]);
    expect(await sessionOf(sessionId)).toMatchObject({ status: "active" });
  });
});

describe("a client in the media stream's format", () => {
  it("[HS-1] gets the typed messages as well, and says goodbye like any other when the host goes away", async () => {
    const { open, pass, hangUps } = channelsRig();
    const opening = open(`${path}&session_id=session-of-a-client`);
    const connection = await opening.connection;
    await pass(500);
    expect(framesOf(opening)[0]).toMatchObject({ type: "session" });
    connection.drain();
    await pass(2000);
    expect(opening.socket.closedWith).toBe(1001);
    expect(hangUps).toEqual([]);
  });
});

describe("audio and messages of a client on the media stream", () => {
  async function client(headers: Readonly<Record<string, string>> = {}) {
    const rig = channelsRig();
    if (headers === service) await rig.createCall();
    const opening = rig.open(headers === service ? path : `${path}&session_id=session-of-a-client`, headers);
    await opening.connection;
    await rig.pass(500);
    const send = async (message: object | Uint8Array): Promise<void> => {
      opening.socket.deliver(message instanceof Uint8Array ? message : JSON.stringify(message));
      await rig.pass(20);
    };
    const problems = () =>
      opening.socket.sent.flatMap((data) => {
        const { type, payload } = refusal.parse(typeof data === "string" ? JSON.parse(data) : {});
        return type === "error" ? [payload?.message] : [];
      });
    return { ...rig, opening, send, problems };
  }

  const samples = Buffer.from(new Int16Array(640).fill(500).buffer);
  const audio = (bytes: Uint8Array) => ({
    kind: "AudioData",
    audioData: { data: Buffer.from(bytes).toString("base64") },
  });
  const metadata = (audioMetadata: object | null) => ({ kind: "AudioMetadata", audioMetadata });

  it("[FR-3] that ends within a sample is refused, and does not shift what follows", async () => {
    const { send, problems, recogniser } = await client();
    const { frames } = recogniser.last;
    const before = frames.length;
    await send(samples.subarray(0, 641));
    await send(audio(samples.subarray(0, 3)));
    expect(problems()).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/16-bit samples/)));
    await send(metadata({ sampleRate: 16_000, channels: 2 }));
    await send(samples.subarray(0, 642)); // half of a sample's two channels
    expect(problems()).toHaveLength(3);
    await send(samples);
    expect(frames.slice(before).map((frame) => new Set(frame))).toEqual([new Set([500])]);
  });

  it("loses only the part of a sample that the communication service sends, and is not shifted by it", async () => {
    const { send, recogniser } = await client(service);
    const { frames } = recogniser.last;
    const before = frames.length;
    await send(audio(samples.subarray(0, 641)));
    await send(audio(samples.subarray(0, 640)));
    expect(frames.slice(before).map((frame) => new Set(frame))).toEqual([new Set([500]), new Set([500])]);
  });

  it.each([
    [metadata({ sampleRate: "16000" }), /^Invalid AudioMetadata: audioMetadata\.sampleRate: .*number/],
    [metadata(null), /^Invalid AudioMetadata: audioMetadata: is missing/],
    [metadata({ sampleRate: 8000, encoding: "PCMU" }), /must be PCM .*media\/sessions/],
    [{ kind: "AudioData", audioData: { data: 5 } }, /^Invalid AudioData: audioData\.data: .*string/],
    [{ kind: "DtmfData", dtmfData: { data: "x" } }, /^Invalid DtmfData: dtmfData\.data: must be keys/],
    [{ kind: "DtmfData" }, /^Invalid DtmfData/],
    [{ type: "config", audio_output: "binary" }, /always sent as AudioData/],
  ])("[FR-3] %j is refused in words that say what to change", async (message, problem) => {
    const { send, problems } = await client();
    await send(message);
    expect(problems()).toEqual([expect.stringMatching(problem)]);
  });

  it("is ignored where the communication service sends something that makes no sense", async () => {
    const { send, problems, opening } = await client(service);
    await send(metadata(null));
    await send({ kind: "DtmfData", dtmfData: { data: "flash" } });
    expect(problems()).toEqual([]);
    expect(opening.socket.closedWith).toBeUndefined();
  });
});

describe("the socket of a media session", () => {
  async function created(rig: ReturnType<typeof channelsRig>, changes: object = {}): Promise<string> {
    const { sessionId } = await rig.state.mediaSessions.create({
      sessionId: "session-negotiated",
      callConnectionId: "connection-1",
      audioFormat: "pcm_16",
      sampleRateHz: 16_000,
      channels: 1,
      chunkSizeBytes: 1024,
      transcriptionEnabled: true,
      vadEnabled: true,
      status: "active",
      connected: false,
      createdAtMs: rig.clock.wallNow(),
      ...changes,
    });
    return sessionId;
  }

  it("is recorded while it is open, and no longer", async () => {
    const rig = channelsRig();
    const sessionId = await created(rig);
    const connected = async () => rig.state.mediaSessions.get(sessionId);
    const opening = rig.open(`/v1/media/stream/${sessionId}`);
    await opening.connection;
    await rig.pass(20);
    expect(await connected()).toMatchObject({ connected: true, hostId: "host-1" });
    opening.socket.onClose?.("closed with 1006");
    await rig.pass(100);
    expect(await connected()).toMatchObject({ connected: false });
    expect(opening.closes).toBe(1);
  });

  it("[HS-1] says at the beginning which sample rate its audio has", async () => {
    const rig = channelsRig();
    const opening = rig.open(`/v1/media/stream/${await created(rig, { sampleRateHz: 48_000 })}`);
    await opening.connection;
    await rig.pass(20);
    expect(opening.socket.sent[0]).toContain('"sample_rate":48000');
  });

  it("carries no transcripts for a client that asked for none", async () => {
    const rig = channelsRig();
    const opening = rig.open(`/v1/media/stream/${await created(rig, { transcriptionEnabled: false })}`);
    await opening.connection;
    await rig.pass(500);
    rig.recogniser.last.final("hello there");
    await rig.pass(1000);
    const types = framesOf(opening).map(({ type }) => type);
    expect(types).toContain("agent_response");
    expect(types).not.toContain("transcript");
  });

  it("goes by the recogniser's words alone for a client that wants no voice detection", async () => {
    const rig = channelsRig();
    const opening = rig.open(`/v1/media/stream/${await created(rig, { vadEnabled: false })}`);
    await opening.connection;
    await rig.pass(500);
    const loud = Buffer.from(new Int16Array(320).fill(8000).buffer);
    rig.recogniser.last.final("hello there");
    for (let at = 0; at < 100; at++) {
      opening.socket.deliver(loud); // a detector would take it for a caller who goes on
      await rig.pass(20);
    }
    const texts = opening.socket.sent.filter((data) => typeof data === "string").join("\n");
    expect(texts).toContain("You said hello there.");
  });

  it.each([
    ["session-nobody-made", {}],
    ["session-negotiated", { audioFormat: "opus" }],
  ])("is refused for %s %j", async (id, changes) => {
    const rig = channelsRig();
    await created(rig, changes);
    await expect(rig.open(`/v1/media/stream/${id}`).connection).rejects.toMatchObject({ fields: expect.any(Array) });
  });
});

describe("a dashboard", () => {
  it("[HS-10a] is told what happens in the session that it watches, and goes at once when the host does", async () => {
    const { open, connect, pass } = channelsRig();
    const dashboard = open("/api/v1/browser/dashboard/relay?session_id=session-watched");
    const connection = await dashboard.connection;
    await connect({ sessionId: "session-watched" });
    await connect({ sessionId: "session-of-others" });
    await pass(500);
    const told = dashboard.socket.sent.filter((data) => typeof data === "string").join("\n");
    expect(told).toContain('"type":"session"');
    expect(told).not.toContain("session-of-others");
    connection.drain();
    expect(dashboard.socket.closedWith).toBe(1001);
  });

  it("[FR-4] may say what it likes, but not without end", async () => {
    const { open, pass } = channelsRig();
    const dashboard = open("/api/v1/browser/dashboard/relay");
    await dashboard.connection;
    for (let second = 0; second < 3; second++) {
      for (let message = 0; message < 200; message++) dashboard.socket.deliver("{");
      await pass(1000);
    }
    expect(dashboard.socket.closedWith).toBeUndefined();
    for (let message = 0; message < 700; message++) dashboard.socket.deliver("{");
    expect(dashboard.socket.closedWith).toBe(1008);
  });
});
