/** `/media/stream` and `/v1/media/stream/<id>` over real sockets: both kinds of peer, every format, every frame. */
import { createId } from "@voice/shared/platform/ids";
import type { AudioFormat } from "@voice/shared/state/ports/media-session-store";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import fc from "fast-check";
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestHost } from "../support/test-host.ts";
import type { TestHost } from "../support/test-host.ts";
import { bytesOf, dial, dialRefused, loudSamples } from "../support/socket-client.ts";
import type { SocketClient } from "../support/socket-client.ts";
import { passTime, testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

const path = "/api/v1/media/stream";
let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host[Symbol.asyncDispose]());

function audioFrame(samples: Int16Array, more: object = {}): object {
  return {
    kind: "AudioData",
    audioData: {
      timestamp: "2026-01-01T00:00:00Z",
      participantRawID: "4:+1",
      data: bytesOf(samples).toString("base64"),
      silent: false,
      ...more,
    },
  };
}

async function knownCall(): Promise<string> {
  const callConnectionId = createId("call");
  await host.state.calls.create({
    callId: createId("call"),
    callConnectionId,
    status: "connected",
    direction: "inbound",
    targetNumber: "+15550100",
    context: {},
    scenario: "banking",
    streamingMode: "MEDIA",
    recording: false,
    participants: [],
    sessionId: createId("session"),
    createdAtMs: testClock.wallNow(),
  });
  return callConnectionId;
}

async function client(query = `?call_connection_id=${createId("call")}`): Promise<SocketClient> {
  const opened = await dial(host.url(path + query));
  await opened.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
  return opened;
}

function answer(peer: SocketClient, text: string): Promise<unknown> {
  return peer.next(
    `the answer to ${text}`,
    ({ type, payload }) => type === "agent_response" && payload?.["is_final"] === true && payload["text"] === text,
  );
}

describe("a typed client on the media stream", () => {
  it("[HS-1] gets the typed messages and the communication service's audio frames", async () => {
    const id = createId("session");
    using peer = await client(`?call_connection_id=some-call&session_id=${id}`);
    expect(peer.messages[0]).toMatchObject({ type: "session", session_id: id, payload: { sample_rate: 16_000 } });
    const [audio] = peer.ofType("audio");
    expect(audio).toMatchObject({ type: "audio", Kind: "AudioData", StopAudio: null });
    expect(Object.keys(audio ?? {}).toSorted()).toEqual(["AudioData", "Kind", "StopAudio", "atMs", "type"]);
  });

  it("[FR-1] [TURN-1] hears AudioData in either letter case and with any spacing, binary audio and audio_data", async () => {
    using peer = await client();
    const stream = host.recogniser.last;
    const before = stream.frames.length;
    const data = bytesOf(loudSamples(20)).toString("base64");
    peer.send(audioFrame(loudSamples(20)));
    peer.send(`{"Kind":"AudioData","AudioData":{"Data":"${data}"}}`);
    peer.send(`{ "kind" : "audioData" , "audioData" : { "data" : "${data}" } }`);
    peer.send(`{"kind":"AudioData","audioData":{"data":"${data.replaceAll("/", String.raw`\/`)}"}}`);
    peer.send(bytesOf(loudSamples(20)));
    peer.send({ type: "audio_data", data });
    await eventually(() => stream.frames.length === before + 6, "six frames are heard");
    for (const frame of stream.frames.slice(before)) expect([...frame]).toEqual([...loudSamples(20)]);
    stream.final("what is my balance");
    await answer(peer, "You said what is my balance.");
    expect(peer.ofType("transcript")).toMatchObject([{ payload: { is_final: true } }]);
  });

  it("[FR-2] takes a silent frame for 20 ms of silence", async () => {
    using peer = await client();
    const stream = host.recogniser.last;
    const before = stream.frames.length;
    peer.send({ kind: "AudioData", audioData: { silent: true } });
    peer.send(audioFrame(loudSamples(20), { silent: true }));
    await eventually(() => stream.frames.length === before + 2, "two frames are heard");
    expect(stream.frames.slice(before).every((frame) => rmsLevel(frame) === 0)).toBe(true);
  });

  it("[TURN-9a] collects DtmfData", async () => {
    using peer = await client();
    for (const data of ["one", "2", "Three", "no such tone", "pound"])
      peer.send({ kind: "DtmfData", dtmfData: { data } });
    await answer(peer, "You said 123.");
  });

  it.each([{ kind: "StopAudio" }, { Kind: "StopAudio", AudioData: null, StopAudio: {} }])(
    "[TURN-12a] takes %j for the end of the turn",
    async (stop) => {
      using peer = await client();
      peer.send(stop);
      await eventually(() => host.recogniser.last.flushes > 0, "the recogniser is flushed");
    },
  );

  it("[TURN-8a] takes typed text and control messages", async () => {
    using peer = await client();
    peer.send({ type: "text", text: "hello" });
    await answer(peer, "You said hello.");
    peer.send({ type: "control", action: "stop" });
    expect((await peer.closed).code).toBe(1000);
  });

  it("[FR-1] follows the rate and channels that the metadata announces", async () => {
    using peer = await client();
    const stream = host.recogniser.last;
    const before = stream.frames.length;
    peer.send({
      kind: "AudioMetadata",
      audioMetadata: { subscriptionId: "x", encoding: "PCM", sampleRate: 24_000, channels: 2, length: 960 },
    });
    peer.send(audioFrame(loudSamples(200, 48_000))); // as many samples as 200 ms of 24 kHz stereo
    await eventually(() => stream.frames.length === before + 10, "200 ms are heard");
    peer.send({ kind: "AudioMetadata", audioMetadata: { sampleRate: 11_025 } });
    expect(await peer.next("error", ({ type }) => type === "error")).toMatchObject({
      payload: { code: "audio_format_unsupported" },
    });
  });

  it("[FR-3] is told about what it cannot mean", async () => {
    using peer = await client();
    peer.send("{");
    peer.send({ type: "dance" });
    peer.send({ kind: "AudioData", audioData: { data: "§".repeat(400) } });
    peer.send({ type: "text", text: "hello" });
    await answer(peer, "You said hello.");
    expect(peer.ofType("error")).toHaveLength(3);
  });
});

describe("the communication service on the media stream", () => {
  async function service(): Promise<SocketClient> {
    const connectionId = await knownCall();
    return dial(host.url(`${path}?call_connection_id=${connectionId}`), {
      "x-ms-call-connection-id": connectionId,
    });
  }

  it("gets its own frames and nothing else", async () => {
    using peer = await service();
    await peer.next("audio", ({ Kind }) => Kind === "AudioData");
    host.recogniser.last.final("hello");
    peer.send("{");
    peer.send({ type: "text", text: "not for the service" });
    peer.send({ kind: "SomethingNew", somethingNew: { a: 1 } });
    await passTime(500);
    await peer.roundTrip();
    expect(peer.messages.every(({ type, Kind }) => type === undefined && Kind !== undefined)).toBe(true);
    expect(peer.messages[0]).toMatchObject({
      Kind: "AudioData",
      AudioData: { Data: expect.any(String) },
      StopAudio: null,
    });
    expect(peer.socket.readyState).toBe(peer.socket.OPEN);
  });

  it("[BARGE-1] [BARGE-5] is told to stop its audio, and gets none of it afterwards", async () => {
    await using slow = await startTestHost({ msPerCharacter: 60, state: host.state });
    const connectionId = await knownCall();
    using peer = await dial(slow.url(`${path}?call_connection_id=${connectionId}`), {
      "x-ms-call-connection-id": connectionId,
    });
    await peer.next("audio", ({ Kind }) => Kind === "AudioData");
    peer.send(audioFrame(loudSamples(200)));
    const stop = await peer.next("StopAudio", ({ Kind }) => Kind === "StopAudio");
    expect(stop).toMatchObject({ Kind: "StopAudio", AudioData: null, StopAudio: {} });
    slow.recogniser.last.partial("please stop");
    await passTime(300);
    await peer.roundTrip();
    expect(peer.messages.at(-1)?.Kind).toBe("StopAudio");
  });

  it("[HS-2a] is refused for a call that nobody knows, and for a header that names another call", async () => {
    const refused = await dialRefused(host.url(`${path}?call_connection_id=unknown`), {
      "x-ms-call-connection-id": "unknown",
    });
    expect([refused.status, refused.body["type"]]).toEqual([404, "call_not_found"]);
    const other = await dialRefused(host.url(`${path}?call_connection_id=${await knownCall()}`), {
      "x-ms-call-connection-id": "another",
    });
    expect([other.status, other.body["type"]]).toEqual([403, "forbidden"]);
  });

  it("[MEDIA-6] is refused once its call is to be hung up, so that nobody speaks after the goodbye", async () => {
    const connectionId = await knownCall();
    const call = await host.state.calls.getByConnection(connectionId);
    await host.state.calls.update(call?.callId ?? "", call?.version ?? 0, { hangUpAtMs: testClock.wallNow() });
    const refused = await dialRefused(host.url(`${path}?call_connection_id=${connectionId}`), {
      "x-ms-call-connection-id": connectionId,
    });
    expect([refused.status, refused.body["type"]]).toEqual([404, "call_not_found"]);
  });

  it("[HS-2a] must name a call", async () => {
    const refused = await dialRefused(host.url(path));
    expect(refused.body).toMatchObject({ status_code: 400, errors: [{ field: "call_connection_id" }] });
  });

  it("[FR-3] cannot break the host with bytes, JSON or nesting", async () => {
    const deep = (keys: string): string => `${keys.repeat(40_000)}1${"}".repeat(40_000)}`;
    using victim = await service();
    victim.send(deep('{"kind":'));
    victim.send(`{"kind":"DtmfData","dtmfData":${deep('{"a":')}}`);
    victim.send("[".repeat(200_000));
    const kinds = ["AudioData", "AudioMetadata", "DtmfData", "StopAudio", "TranscriptionData"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 1000 }),
            fc.json(),
            fc
              .record({
                kind: fc.constantFrom(...kinds),
                audioData: fc.jsonValue(),
                dtmfData: fc.jsonValue(),
                audioMetadata: fc.jsonValue(),
              })
              .map((value) => JSON.stringify(value)),
          ),
          { maxLength: 40 },
        ),
        async (sent) => {
          using peer = await service();
          for (const message of sent) peer.send(message);
          peer.socket.close();
          expect((await peer.closed).code).toBe(1005);
        },
      ),
      { numRuns: 15 },
    );
    using after = await service();
    await after.next("audio", ({ Kind }) => Kind === "AudioData");
  });
});

describe("a negotiated media session", () => {
  interface Format {
    readonly audioFormat: AudioFormat;
    readonly sampleRateHz: number;
    readonly channels: number;
    readonly chunkSizeBytes?: number;
    readonly transcriptionEnabled?: boolean;
    readonly vadEnabled?: boolean;
  }

  const plain: Format = { audioFormat: "pcm_16", sampleRateHz: 16_000, channels: 1 };

  async function mediaSession(format: Format): Promise<string> {
    const session = await host.state.mediaSessions.create({
      sessionId: createId("session"),
      callConnectionId: "some-call",
      chunkSizeBytes: 1024,
      transcriptionEnabled: true,
      vadEnabled: true,
      status: "active",
      connected: false,
      createdAtMs: testClock.wallNow(),
      ...format,
    });
    return session.sessionId;
  }

  const formats: Format[] = [8000, 16_000, 24_000, 48_000].flatMap((sampleRateHz) =>
    [1, 2].flatMap((channels) =>
      (["pcm_16", "pcm_24", "mulaw"] as const).map((audioFormat) => ({ audioFormat, sampleRateHz, channels })),
    ),
  );

  it.each(formats)("[FR-1] [PLAY-1] speaks and hears %j", async (format) => {
    const id = await mediaSession(format);
    using peer = await dial(host.url(`/v1/media/stream/${id}`));
    await peer.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    expect(peer.messages[0]).toMatchObject({ type: "session", session_id: id });
    const chunks = peer.ofType("audio").map((message) => audioOf(message));
    expect(chunks.every((chunk) => chunk.length === 1024)).toBe(true);
    const heard = decode(Buffer.concat(chunks), format);
    // The fake voice is a constant 1000; resampling settles on it. 16-bit mu-law is within 3 % there.
    const middle = heard.slice(Math.floor(heard.length / 3), Math.floor(heard.length / 2));
    expect(middle.length).toBeGreaterThan(0);
    for (const sample of middle) expect(Math.abs(sample - 1000)).toBeLessThan(40);

    const stream = host.recogniser.last;
    const before = stream.frames.length;
    const spoken = encode(new Int16Array((format.sampleRateHz * 200) / 1000).fill(2000), format);
    for (let at = 0; at < spoken.length; at += 1021) peer.send(spoken.subarray(at, at + 1021)); // cuts through samples
    await eventually(() => stream.frames.length === before + 10, "200 ms are heard");
    expect(rmsLevel(stream.frames.at(-2) ?? new Int16Array(0)) * 32_768).toBeCloseTo(2000, -2);
  });

  it("sends chunks of the negotiated size, the last one when the last word is said, not when it was heard", async () => {
    const id = await mediaSession({ audioFormat: "mulaw", sampleRateHz: 8000, channels: 1, chunkSizeBytes: 8000 });
    using peer = await dial(host.url(`/v1/media/stream/${id}`));
    const audio = await peer.next("audio", ({ type }) => type === "audio");
    expect(audioOf(audio)).toHaveLength(8000);
    const finished = await peer.next("the end", ({ payload }) => payload?.["name"] === "playout_finished");
    expect(peer.messages.indexOf(audio)).toBeLessThan(peer.messages.indexOf(finished));
  });

  it("says whether a socket is open", async () => {
    const id = await mediaSession({ audioFormat: "pcm_16", sampleRateHz: 16_000, channels: 1 });
    const connected = async (): Promise<boolean> => {
      const session = await host.state.mediaSessions.get(id);
      return typeof session !== "string" && session.connected;
    };
    using peer = await dial(host.url(`/v1/media/stream/${id}`));
    await eventually(connected, "the session is connected");
    peer.socket.close();
    await eventually(async () => !(await connected()), "the session is disconnected");
  });

  it("sends no transcripts to a client that asked for none", async () => {
    using peer = await dial(
      host.url(`/v1/media/stream/${await mediaSession({ ...plain, transcriptionEnabled: false })}`),
    );
    await peer.next("session", ({ type }) => type === "session");
    host.recogniser.last.final("hello there");
    await answer(peer, "You said hello there.");
    expect(peer.messages.filter(({ type }) => type === "transcript")).toEqual([]);
  });

  it("goes by the recogniser's words alone for a client that wants no voice detection", async () => {
    using peer = await dial(host.url(`/v1/media/stream/${await mediaSession({ ...plain, vadEnabled: false })}`));
    await peer.next("greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    peer.send(bytesOf(loudSamples(400, 16_000)));
    host.recogniser.last.final("hello there");
    peer.send(bytesOf(loudSamples(400, 16_000))); // a detector would take it for a caller who goes on
    const startedMs = testClock.now();
    await answer(peer, "You said hello there.");
    expect(testClock.now() - startedMs).toBeLessThan(1800);
  });

  it("[HS-2a] is refused when it is unknown, or in a format that is not streamed", async () => {
    const unknown = await dialRefused(host.url(`/v1/media/stream/${createId("session")}`));
    expect([unknown.status, unknown.body["type"]]).toEqual([404, "not_found"]);
    const opus = await mediaSession({ audioFormat: "opus", sampleRateHz: 48_000, channels: 1 });
    const refused = await dialRefused(host.url(`/v1/media/stream/${opus}`));
    expect([refused.status, refused.body["type"]]).toEqual([400, "audio_format_unsupported"]);
  });
});

const wireAudio = z.object({ AudioData: z.object({ Data: z.base64() }) });

function audioOf(message: unknown): Buffer {
  return Buffer.from(wireAudio.parse(message).AudioData.Data, "base64");
}

function encode(
  samples: Int16Array,
  { audioFormat, channels }: { audioFormat: AudioFormat; channels: number },
): Buffer {
  const interleaved = channels === 1 ? samples : Int16Array.from([...samples].flatMap((sample) => [sample, sample]));
  if (audioFormat === "mulaw") return Buffer.from(encodeMulaw(interleaved));
  if (audioFormat === "pcm_16") return bytesOf(interleaved);
  return Buffer.from([...interleaved].flatMap((sample) => [0, sample & 0xff, (sample >> 8) & 0xff]));
}

/** The first channel. */
function decode(bytes: Buffer, { audioFormat, channels }: { audioFormat: AudioFormat; channels: number }): number[] {
  const width = { pcm_16: 2, pcm_24: 3, mulaw: 1, opus: 1 }[audioFormat];
  const samples =
    audioFormat === "mulaw"
      ? [...decodeMulaw(bytes)]
      : Array.from({ length: Math.floor(bytes.length / width) }, (_, at) => bytes.readInt16LE(at * width + width - 2));
  return samples.filter((_, index) => index % channels === 0);
}

describe("transcription mode", () => {
  it("writes down what it hears, interim and final with offsets, and stays silent", async () => {
    await using transcribing = await startTestHost({ settings: { COMM_STREAMING_MODE: "TRANSCRIPTION" } });
    const id = createId("session");
    using peer = await dial(transcribing.url(`${path}?call_connection_id=some-call&session_id=${id}`));
    expect(await peer.next("session", ({ type }) => type === "session")).toMatchObject({
      payload: { streaming_mode: "TRANSCRIPTION" },
    });
    const stream = transcribing.recogniser.last;
    for (let frame = 0; frame < 10; frame++) peer.send(audioFrame(loudSamples(20)));
    await eventually(() => stream.frames.length === 10, "the audio is heard");
    stream.partial("what is");
    stream.final("what is my balance");
    await peer.until("both transcripts", () => peer.ofType("transcript")[1]);
    expect(peer.ofType("transcript").map(({ payload }) => payload)).toMatchObject([
      { text: "what is", is_final: false, speaker: "user", turn_id: "turn-1" },
      { text: "what is my balance", is_final: true, start_ms: 0, end_ms: 200, turn_id: "turn-1" },
    ]);
    await passTime(200);
    await peer.roundTrip();
    expect(peer.messages.some(({ Kind, type }) => Kind !== undefined || type === "agent_response")).toBe(false);
    expect(await transcribing.state.sessions.history(id)).toMatchObject([
      { role: "user", content: "what is my balance" },
    ]);
  });

  it("takes the communication service's own transcripts, and does not write them twice", async () => {
    await using transcribing = await startTestHost({ settings: { COMM_STREAMING_MODE: "TRANSCRIPTION" } });
    using peer = await dial(transcribing.url(`${path}?call_connection_id=some-call`));
    await peer.next("session", ({ type }) => type === "session");
    peer.send({ kind: "TranscriptionMetadata", transcriptionMetadata: { locale: "en-US" } });
    const words = {
      text: "hello",
      format: "display",
      confidence: 0.9,
      offset: 12_000_000,
      duration: 5_000_000,
      words: [],
    };
    peer.send({ kind: "TranscriptionData", transcriptionData: { ...words, resultStatus: "Intermediate" } });
    peer.send({ kind: "TranscriptionData", transcriptionData: { ...words, resultStatus: "Final" } });
    await peer.until("both transcripts", () => peer.ofType("transcript")[1]);
    expect(peer.ofType("transcript").map(({ payload }) => payload)).toMatchObject([
      { text: "hello", is_final: false },
      { text: "hello", is_final: true, start_ms: 1200, end_ms: 1700 },
    ]);
    peer.send(audioFrame(loudSamples(100)));
    await peer.roundTrip();
    expect(transcribing.recogniser.last.frames).toEqual([]);
  });
});
