/** `/browser/conversation` and its twin over real sockets: every message of the contract, both ways. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { ScriptedModel } from "@voice/streaming-host/testing/scripted-model";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestHost } from "../support/test-host.ts";
import type { TestHost } from "../support/test-host.ts";
import { bytesOf, dial, dialRefused, loudSamples } from "../support/socket-client.ts";
import type { SocketClient } from "../support/socket-client.ts";
import { passTime, testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

const path = "/api/v1/browser/conversation";
let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host[Symbol.asyncDispose]());

/** Connects and lets the greeting pass. */
async function conversation(query = ""): Promise<SocketClient> {
  const client = await dial(host.url(path + query));
  await client.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
  return client;
}

function answer(client: SocketClient, text: string): Promise<unknown> {
  return client.next(
    `the answer to ${text}`,
    ({ type, payload }) => type === "response" && payload?.["is_final"] === true && payload["text"] === text,
  );
}

describe("a browser conversation", () => {
  it.each([path, "/api/v1/realtime/conversation"])(
    "[HS-1] [HS-5] introduces itself and greets on %s",
    async (route) => {
      using client = await dial(host.url(`${route}?scenario=banking&user_email=a%40example.com`));
      await client.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
      const [session] = client.messages;
      expect(session).toMatchObject({
        type: "session",
        session_id: expect.stringMatching(/^session-/),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        payload: { resumed: false, streaming_mode: "REALTIME", sample_rate: 16_000, scenario: "banking" },
      });
      const audio = client.ofType("audio");
      expect(audio.length).toBeGreaterThan(5);
      expect(audio[0]?.payload).toMatchObject({ sample_rate: 16_000, data: expect.any(String) });
      expect(Buffer.from(String(audio[0]?.payload?.["data"]), "base64")).toHaveLength(640);
      const record = await host.state.sessions.get(String(session?.session_id));
      expect(record).toMatchObject({ userEmail: "a@example.com", channel: "browser", status: "active" });
    },
  );

  it("[FR-1] [FR-2] hears binary frames and base64 alike, of any length", async () => {
    using client = await conversation();
    const stream = host.recogniser.last;
    const before = stream.frames.length;
    client.send(bytesOf(loudSamples(50)));
    client.send({ type: "audio_data", payload: { data: bytesOf(loudSamples(20)).toString("base64") } });
    client.send({ type: "audio_data", data: bytesOf(loudSamples(30)).toString("base64") });
    await eventually(() => stream.frames.length === before + 5, "100 ms of audio are heard");
    expect(stream.frames.slice(before).every((frame) => frame.length === 320)).toBe(true);
    expect([...Int16Array.from(stream.frames.slice(before).flatMap((frame) => [...frame])).slice(800, 1120)]).toEqual([
      ...loudSamples(20),
    ]);
  });

  it("[TURN-1] answers what was spoken, with interim and final transcripts, levels and metrics", async () => {
    using client = await conversation();
    const stream = host.recogniser.last;
    for (let frame = 0; frame < 20; frame++) client.send(bytesOf(loudSamples(20)));
    await eventually(() => stream.frames.length >= 20, "the speech is heard");
    stream.partial("what is");
    for (let frame = 0; frame < 10; frame++) client.send(new Uint8Array(640));
    await eventually(() => stream.frames.length >= 30, "the silence is heard");
    stream.final("what is my balance");
    await answer(client, "You said what is my balance.");
    const transcripts = client.ofType("transcript").map(({ payload }) => [payload?.["text"], payload?.["is_final"]]);
    expect(transcripts).toEqual([
      ["what is", false],
      ["what is my balance", true],
    ]);
    expect(client.ofType("audio_levels").length).toBeGreaterThan(0);
    const metrics = await client.next("metrics", ({ payload }) => payload?.["name"] === "turn_metrics");
    expect(metrics.payload?.["metrics"]).toMatchObject({ first_audio_ms: expect.any(Number) });
    expect(client.events("state_change").map(({ payload }) => payload?.["state"])).toEqual([
      "thinking",
      "speaking",
      "listening",
      "thinking",
      "speaking",
      "listening",
    ]);
  });

  it("[TURN-8a] takes typed text, flat or in payload", async () => {
    using client = await conversation();
    client.send({ type: "text", text: "hello" });
    await answer(client, "You said hello.");
    client.send({ type: "text", payload: { text: "again" } });
    await answer(client, "You said again.");
  });

  it("[TURN-9a] collects keys into one turn", async () => {
    using client = await conversation();
    for (const digits of ["9", "*", "1", "2", "34#"]) client.send({ type: "dtmf", digits });
    await answer(client, "You said 1234.");
  });

  it.each([{ kind: "StopAudio" }, { Kind: "StopAudio" }, { kind: "stopAudio" }, { type: "stop_audio" }])(
    "[TURN-12a] takes %j for the end of the caller's turn",
    async (stop) => {
      using client = await conversation();
      const stream = host.recogniser.last;
      client.send(bytesOf(loudSamples(400)));
      await eventually(() => stream.frames.length >= 20, "the speech is heard");
      client.send(stop);
      await eventually(() => stream.flushes > 0, "the recogniser is flushed");
      stream.final("send it");
      await answer(client, "You said send it.");
    },
  );

  it("sends audio as binary frames once it is asked to", async () => {
    using client = await conversation();
    client.send({ type: "config", audio_output: "binary" });
    client.send({ type: "text", text: "hello" });
    await answer(client, "You said hello.");
    const spoken = client.audio.length;
    expect(spoken).toBeGreaterThan(0);
    expect(client.audio.every((frame) => frame.length === 640)).toBe(true);
    client.send({ type: "config", payload: { audio_output: "base64" } });
    client.send({ type: "text", text: "more" });
    await answer(client, "You said more.");
    expect(client.audio).toHaveLength(spoken);
  });

  it("[HS-6] changes scenario and agent before the first turn, loses nothing said meanwhile, and refuses it later", async () => {
    using client = await dial(host.url(path));
    client.send({ type: "config", scenario: "insurance" });
    client.send({ type: "text", text: "hello" });
    await answer(client, "You said hello.");
    expect(client.ofType("session").map(({ payload }) => payload?.["scenario"])).toEqual(["default", "insurance"]);
    expect(new Set(client.ofType("session").map(({ session_id: id }) => id)).size).toBe(1);
    client.send({ type: "config", scenario: "banking" });
    expect(await client.next("the refusal", ({ type }) => type === "error")).toMatchObject({
      payload: { code: "conflict" },
    });
  });

  it("[HS-6] applies voice overrides of the config to the session", async () => {
    using client = await conversation("?scenario=banking");
    const agent = String(client.messages[0]?.payload?.["agent"]);
    client.send({ type: "config", agent_overrides: { [agent]: { voice: { voice_name: "my-voice" } } } });
    await client.until("the second session", () => client.ofType("session")[1]);
    client.send({ type: "text", text: "hello" });
    await answer(client, "You said hello.");
    expect(host.synthesiser.requests.at(-1)?.voice.name).toBe("my-voice");
  });

  it("[HS-6] says so when a config names a scenario or an agent that does not exist, and goes on undisturbed", async () => {
    using client = await conversation();
    client.send({ type: "config", scenario: "no-such-scenario" });
    client.send({ type: "config", agent: "no-such-agent" });
    await client.until("the refusals", () => client.ofType("error")[1]);
    expect(client.ofType("error").map(({ payload }) => payload?.["code"])).toEqual(["not_found", "not_found"]);
    client.send({ type: "text", text: "hello" });
    await answer(client, "You said hello.");
    expect(client.ofType("session")).toHaveLength(1);
  });

  it("[CTRL-1] is deaf and mute while paused", async () => {
    using client = await conversation();
    const stream = host.recogniser.last;
    client.send({ type: "control", action: "start" });
    client.send({ type: "control", action: "pause" });
    client.send(bytesOf(loudSamples(100)));
    client.send({ type: "text", text: "hello" });
    await client.next("the turn", ({ payload }) => payload?.["state"] === "thinking" && payload["name"] !== undefined);
    await passTime(200);
    await client.roundTrip();
    expect(stream.frames).toHaveLength(0);
    expect(client.events("playout_finished")).toHaveLength(1);
    client.send({ type: "control", payload: { action: "resume" } });
    client.send(bytesOf(loudSamples(40)));
    await answer(client, "You said hello.");
    expect(stream.frames).toHaveLength(2);
  });

  it("[CTRL-2] begins a new conversation on reset, with a new id and nothing of the old one", async () => {
    using client = await conversation();
    client.send({ type: "text", text: "hello" });
    await answer(client, "You said hello.");
    const [first] = client.messages;
    client.send({ type: "control", action: "reset" });
    const second = await client.until("the second session", () => client.ofType("session")[1]);
    expect(second).toMatchObject({ payload: { resumed: false } });
    expect(second.session_id).not.toBe(first?.session_id);
    expect(await host.state.sessions.history(String(second.session_id))).toEqual([]);
    expect(await host.state.sessions.get(String(first?.session_id))).toMatchObject({ status: "ended" });
  });

  it("[CTRL-3] ends on stop", async () => {
    using client = await conversation();
    client.send({ type: "control", action: "stop" });
    expect(await client.closed).toEqual({ code: 1000, reason: "conversation ended" });
  });

  it("[HS-4] restores history, scenario and active agent by session id", async () => {
    const first = await conversation("?scenario=banking");
    first.send({ type: "text", text: "hello" });
    await answer(first, "You said hello.");
    const id = String(first.messages[0]?.session_id);
    first.socket.close();
    await first.closed;
    using second = await dial(host.url(`${path}?session_id=${id}`));
    expect(await second.next("session", ({ type }) => type === "session")).toMatchObject({
      session_id: id,
      payload: { resumed: true, scenario: "banking", agent: first.messages[0]?.payload?.["agent"] },
    });
    second.send({ type: "text", text: "again" });
    await answer(second, "You said again.");
    const history = await host.state.sessions.history(id);
    expect(history.map(({ content }) => content)).toEqual(expect.arrayContaining(["hello", "again"]));
  });

  it("[HS-4a] [REC-3a] answers what the host before could not, once it has announced the recording", async () => {
    const state = createMemoryState({ clock: testClock, logger: silentLogger });
    const silent = new ScriptedModel({ hangs: true });
    await using former = await startTestHost({ state, answer: (...asked) => silent.stream(...asked) });
    const first = await dial(former.url(path));
    await first.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    first.send({ type: "text", text: "hello" });
    await eventually(() => former.modelRequests.length === 1, "the model is asked");
    first.socket.close();
    await first.closed;
    const folder = await mkdtemp(join(tmpdir(), "recordings-"));
    const announcement = "This conversation is recorded.";
    const settings = { RECORDING_ENABLED: "true", RECORDING_DIR: folder, RECORDING_ANNOUNCEMENT: announcement };
    await using next = await startTestHost({ state, settings });
    using second = await dial(next.url(`${path}?session_id=${String(first.messages[0]?.session_id)}`));
    await answer(second, "You said hello.");
    const spoken = second
      .ofType("response")
      .flatMap(({ payload }) => (payload?.["is_final"] === true ? [payload["text"]] : []));
    expect(spoken).toEqual([announcement, "You said hello."]);
    await rm(folder, { recursive: true, force: true });
  });

  it("[HS-9] gives a session to the newer socket and tells the older, also when both ask at once", async () => {
    const id = "session-both-at-once";
    using first = await dial(host.url(`${path}?session_id=${id}`));
    await first.next("session", ({ type }) => type === "session");
    const [second, third] = await Promise.all([0, 1].map(() => dial(host.url(`${path}?session_id=${id}`))));
    expect(await first.closed).toEqual({ code: 4409, reason: "replaced by a newer connection" });
    if (second === undefined || third === undefined) throw new Error("unreachable");
    const loser = await Promise.race([second.closed.then(() => second), third.closed.then(() => third)]);
    expect(await loser.closed).toMatchObject({ code: 4409 });
    using winner = loser === second ? third : second;
    winner.send({ type: "text", text: "hello" });
    await answer(winner, "You said hello.");
    expect(await host.state.sessions.get(id)).toMatchObject({ status: "active" });
  });

  it("[BARGE-1] [BARGE-5] tells the client to drop its audio when it is interrupted, and sends no more of it", async () => {
    await using slow = await startTestHost({ msPerCharacter: 60 });
    using client = await dial(slow.url(path));
    await client.next("audio", ({ type }) => type === "audio");
    client.send(bytesOf(loudSamples(200)));
    const stopped = await client.until("barge_in", () => client.events("barge_in")[0]);
    slow.recogniser.last.partial("please stop");
    await client.until("the interruption", () =>
      client.ofType("response").find(({ payload }) => payload?.["interrupted"]),
    );
    await passTime(300);
    await client.roundTrip();
    expect(client.ofType("audio").filter(({ atMs }) => atMs > stopped.atMs)).toEqual([]);
    expect(client.events("barge_in")).toHaveLength(1);
  });
});

describe("what a browser may not do", () => {
  it.each([
    ["?streaming_mode=MEDIA", 400, "validation_error"],
    ["?session_id=a%20b", 400, "validation_error"],
    ["?user_email=nobody", 400, "validation_error"],
    ["?sesion_id=session-1", 400, "validation_error"],
    ["?scenario=no-such-scenario", 404, "not_found"],
    ["?scenario=banking&agent=no-such-agent", 404, "not_found"],
    ["?agent=no-such-agent", 404, "not_found"],
    ["?streaming_mode=VOICE_LIVE", 503, "dependency_not_ready"],
  ])("[HS-2a] [HS-2b] refuses %s before the upgrade", async (query, status, type) => {
    const refused = await dialRefused(host.url(path + query));
    expect(refused.status).toBe(status);
    expect(refused.body).toMatchObject({
      type,
      status_code: status,
      instance: path,
      detail: expect.any(String),
      errors: expect.any(Array),
    });
    if (status === 503) expect(refused.headers["retry-after"]).toBe("5");
  });

  it.each([
    ["not JSON", "{"],
    ["no object", "[]"],
    ["null", "null"],
    ["no type", "{}"],
    ["an unknown type", '{"type":"dance"}'],
    ["an invalid field", '{"type":"control","action":"explode"}'],
    ["invalid base64", '{"type":"audio_data","data":"***"}'],
    ["half a sample", '{"type":"audio_data","data":"AAAA"}'],
    ["half a binary sample", new Uint8Array(3)],
    ["an empty text", '{"type":"text","text":"  "}'],
    ["keys that no phone has", '{"type":"dtmf","digits":"xyz"}'],
  ])("[FR-3] is told once about %s, and the conversation goes on", async (_what, message) => {
    using client = await conversation();
    client.send(message);
    client.send({ type: "text", text: "hello" });
    await answer(client, "You said hello.");
    expect(client.ofType("error")).toMatchObject([{ payload: { code: "validation_error" } }]);
  });

  it("[FR-4] is closed with 1009 after a message above the limit; others notice nothing", async () => {
    using client = await conversation();
    using other = await conversation();
    client.send(new Uint8Array(600_000));
    expect(await client.closed).toEqual({ code: 1009, reason: "message too large" });
    other.send({ type: "text", text: "hello" });
    await answer(other, "You said hello.");
  });

  it("[FR-4] is told and closed with 1008 when it floods", async () => {
    using client = await conversation();
    for (let index = 0; index < 1200; index++) client.send({ type: "control", action: "start" });
    expect(await client.closed).toEqual({ code: 1008, reason: "too many messages" });
    expect(client.ofType("error").at(-1)).toMatchObject({ payload: { code: "rate_limited" } });
  });

  it("[FR-3] survives whatever bytes and JSON arrive", async () => {
    using other = await conversation();
    const types = ["audio_data", "control", "config", "text", "dtmf", "stop_audio", "audio"];
    const messages = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 2000 }),
        fc.string({ maxLength: 200 }),
        fc.json(),
        fc
          .record({
            type: fc.constantFrom(...types),
            payload: fc.jsonValue(),
            action: fc.jsonValue(),
            text: fc.string(),
          })
          .map((value) => JSON.stringify(value)),
      ),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(messages, async (sent) => {
        using client = await dial(host.url(path));
        for (const message of sent) client.send(message);
        client.send({ type: "control", action: "stop" });
        expect([1000, 1007]).toContain((await client.closed).code);
      }),
      { numRuns: 25 },
    );
    other.send({ type: "text", text: "hello" });
    await answer(other, "You said hello.");
  });
});
