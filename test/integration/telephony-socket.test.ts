/** `/telephony/stream` over real sockets: the platform's side is the emulator's, or bytes that no platform would send. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlatformCall } from "@voice/local/emulators/telephony/platform-call";
import type { PlatformCallOptions } from "@voice/local/emulators/telephony/platform-call";
import { signRequest } from "@voice/local/emulators/telephony/sign-request";
import type { Ear, Handset, Line } from "@voice/local/phone/handset";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { FakeRealtimeModel } from "@voice/streaming-host/testing/fake-realtime-model";
import { WebSocket } from "ws";
import { startTestHost } from "../support/test-host.ts";
import type { TestHost } from "../support/test-host.ts";
import { dial, dialRefused } from "../support/socket-client.ts";
import type { SocketClient } from "../support/socket-client.ts";
import { testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

const path = "/api/v1/telephony/stream";
const mulaw = { type: "audio", format: "PCMU", channels: ["external"], rate: 8000 };
const nullId = "00000000-0000-0000-0000-000000000000";

/** Somebody who holds a phone and does what the test says. */
class QuietPhone implements Handset {
  line: Line | undefined;
  heardSamples = 0;
  stops = 0;
  ended: string | undefined;

  ring(): Promise<"answered"> {
    return Promise.resolve("answered");
  }

  talk(line: Line): Ear {
    this.line = line;
    return {
      onAudio: (samples) => void (this.heardSamples += samples.length),
      onStopAudio: () => void this.stops++,
      onKeys: () => undefined,
      onEnded: (why) => void (this.ended = why),
    };
  }
}

function callVia(host: TestHost, options: Partial<PlatformCallOptions> & { readonly query?: string } = {}) {
  const phone = new QuietPhone();
  const url = new URL(host.url(`${path}${options.query ?? ""}`));
  const call = new PlatformCall({
    url,
    from: "+12025550123",
    to: "+12025550100",
    phone,
    clock: testClock,
    ...options,
  });
  return { phone, call };
}

/** Says what it likes, numbered as it should be. */
function platformOn(client: SocketClient, sessionId = randomUUID()) {
  let seq = 0;
  const say = (type: string, parameters: object = {}): void => {
    seq++;
    client.send({
      version: "2",
      id: sessionId,
      type,
      seq,
      serverseq: client.messages.length,
      position: "PT0S",
      parameters,
    });
  };
  const open = (changes: object = {}): void =>
    say("open", {
      organizationId: randomUUID(),
      conversationId: randomUUID(),
      participant: { id: randomUUID(), ani: "", aniName: "", dnis: "" },
      media: [mulaw],
      ...changes,
    });
  const told = (type: string) => client.next(type, (message) => message.type === type);
  return { say, open, told, sessionId };
}

async function sessionOf(host: TestHost, sessionId: string) {
  const record = await host.state.sessions.get(sessionId);
  return typeof record === "string" ? undefined : record;
}

describe("the telephony platform's socket", () => {
  const model = new FakeRealtimeModel();
  let host: TestHost;

  beforeAll(async () => {
    host = await startTestHost({ providers: { realtimeModel: model } });
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it.each([
    [[], ""],
    [["hook-v2"], "hook-v2"],
    [["foo", "hook-v2"], "hook-v2"],
    [["audiohook-v2"], "audiohook-v2"],
  ])("[HOOK-3] selects of the subprotocols %j %j", async (offered, selected) => {
    const socket = new WebSocket(host.url(`${path}/connector-7?x=1`), offered);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    expect(socket.protocol).toBe(selected);
    socket.terminate();
  });

  it.each([[["foo"]], [["hook-v2x"]]])(
    "[HOOK-3] selects none of %j, which such a client cannot take",
    async (offered) => {
      const socket = new WebSocket(host.url(path), offered);
      const error = await new Promise<Error>((resolve) => socket.once("error", resolve));
      expect(error.message).toMatch(/no subprotocol/i);
    },
  );

  it("[HOOK-6] [HOOK-9b] [HOOK-9d] opens a VOICE_LIVE conversation with what the flow knows", async () => {
    const { call, phone } = callVia(host, {
      query: "?agent=card-specialist",
      inputVariables: { scenario: "banking", agent: "banking-concierge", plan: "gold" },
    });
    await eventually(() => phone.line !== undefined, "the session is open");
    await eventually(async () => (await sessionOf(host, call.sessionId)) !== undefined, "the conversation is stored");
    expect(await sessionOf(host, call.sessionId)).toMatchObject({
      channel: "telephony",
      streamingMode: "VOICE_LIVE",
      scenario: "banking",
      activeAgent: "banking-concierge",
      memory: { context: { plan: "gold", caller: "+12025550123", called: "+12025550100" } },
    });
    await eventually(() => host.composed.host.counts().telephony === 1, "the host counts it");
    call.hangUp();
    expect(await call.ended).toEqual({
      reason: "end",
      outputVariables: { session_id: call.sessionId },
      closeCode: 1000,
    });
    expect(await sessionOf(host, call.sessionId)).toMatchObject({ status: "ended" });
    expect(call.faults).toEqual([]);
    expect(phone.ended).toBe("the phone hung up");
  });

  it("[HOOK-10] [HOOK-11] [HOOK-18] is heard at the line's own rate, and has the platform drop its audio when the caller speaks", async () => {
    const { call, phone } = callVia(host);
    await eventually(() => phone.line !== undefined, "the session is open");
    const before = model.appendedSamples;
    const said = decodeMulaw(encodeMulaw(new Int16Array(160).fill(8000))); // which mu-law can express
    for (let frame = 0; frame < 50; frame++) phone.line?.speak(said);
    await eventually(() => model.appendedSamples - before === 8000, "a second of audio has reached the model");
    expect(model.opened.at(-1)?.sampleRateHz).toBe(8000);
    expect([...new Set(model.appended.at(-1))]).toEqual([said[0]]);
    model.answer("item-1", "This is a long answer.", 5000);
    await eventually(() => phone.heardSamples >= 3200, "the answer is audible");
    model.emit({ type: "speech-started", itemId: "item-2", atMs: 1000 });
    await eventually(() => phone.stops === 1, "the platform drops what it has");
    const heard = phone.heardSamples;
    expect(heard).toBeLessThan(5000 * 8);
    model.emit({ type: "user-transcript", itemId: "item-2", text: "Wait.", isFinal: true });
    await eventually(
      () => call.received.some(({ parameters }) => JSON.stringify(parameters).includes("Wait.")),
      "the platform is told what the caller said",
    );
    expect(phone.heardSamples).toBe(heard);
    call.hangUp();
    await call.ended;
    expect(call.faults).toEqual([]);
  });

  it.each(["VOICE_LIVE", "TRANSCRIPTION"])(
    "[HOOK-12a] [HOOK-14b] keeps the keys of a caller in the conversation, and tells the platform none of them (%s)",
    async (mode) => {
      using client = await dial(host.url(`${path}?streaming_mode=${mode}`));
      const { open, told, say, sessionId } = platformOn(client);
      open();
      await told("opened");
      for (const digit of "4929837465019283#") say("dtmf", { digit });
      const stored = async () => (await host.state.sessions.history(sessionId)).map(({ content }) => content);
      if (mode === "VOICE_LIVE") {
        await eventually(
          () => model.log.some((entry) => entry.includes("4929837465019283")),
          "the model is told the keys",
        );
        model.answer("item-k", "Thank you.", 200);
      }
      await eventually(async () => (await stored()).includes("4929837465019283"), "the keys are a turn");
      say("close", { reason: "end" });
      await told("closed");
      expect(JSON.stringify(client.messages)).not.toContain("4929837465019283");
    },
  );

  it("[HOOK-13] [HOOK-15b] gives the call back when the caller wants a person", async () => {
    const { call, phone } = callVia(host, { query: "?scenario=banking" });
    await eventually(() => phone.line !== undefined, "the session is open");
    const argumentsJson = JSON.stringify({ reason: "wants a person", summary: "Lost a card." });
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "tool-call", responseId: "r", call: { id: "call-9", name: "escalate_human", argumentsJson } },
      { type: "response-finished", responseId: "r", status: "completed" },
    );
    await eventually(() => model.log.some((entry) => entry.startsWith("result call-9")), "the tool has run");
    model.answer("item-9", "I am connecting you to a person.", 300);
    const outcome = await call.ended;
    expect(outcome).toMatchObject({
      reason: "completed",
      outputVariables: { session_id: call.sessionId, end_reason: "escalate" },
    });
    expect(outcome.outputVariables["transfer_reason"]).toContain("wants a person");
    expect(call.faults).toEqual([]);
    expect(await sessionOf(host, call.sessionId)).toMatchObject({ status: "ended" });
  });

  it("[HOOK-9a] goes on with the conversation of a session that it continues", async () => {
    const organizationId = randomUUID();
    const first = callVia(host, { organizationId });
    await eventually(() => first.phone.line !== undefined, "the session is open");
    first.call.hangUp();
    await first.call.ended;
    using client = await dial(host.url(path));
    const { open, told, say, sessionId } = platformOn(client);
    open({ organizationId, continuedSessions: [{ id: first.call.sessionId, serverseq: 3, clientseq: 3 }] });
    await told("opened");
    await eventually(
      async () => (await sessionOf(host, first.call.sessionId))?.status === "active",
      "the conversation goes on",
    );
    expect(await sessionOf(host, sessionId)).toBeUndefined();
    say("close", { reason: "end" });
    await told("closed");
  });

  it("[HOOK-7] answers a probe without a conversation", async () => {
    const opened = model.opened.length;
    using client = await dial(host.url(path));
    const { open, told, say, sessionId } = platformOn(client);
    open({ conversationId: nullId, participant: { id: nullId, ani: "", aniName: "", dnis: "" } });
    expect(await told("opened")).toMatchObject({ parameters: { startPaused: false, media: [mulaw] } });
    say("close", { reason: "end" });
    await told("closed");
    expect(await sessionOf(host, sessionId)).toBeUndefined();
    expect(model.opened).toHaveLength(opened);
  });

  it("[HOOK-8] says what is wrong with what the flow asks for", async () => {
    using client = await dial(host.url(path));
    const { open, told, say } = platformOn(client);
    open({ inputVariables: { scenario: "no-such-thing" } });
    expect(await told("disconnect")).toMatchObject({
      parameters: { reason: "error", info: expect.stringContaining("scenario") },
    });
    say("close", { reason: "disconnect" });
    await told("closed");
    const refused = await dialRefused(host.url(`${path}?scenario=no-such-thing`));
    expect(refused).toMatchObject({ status: 404, body: { type: "not_found" } });
  });

  it("[HOOK-6] refuses what it cannot hear, and an organization that is not the request's", async () => {
    using deaf = await dial(host.url(path));
    const offer = platformOn(deaf);
    offer.open({ media: [{ ...mulaw, format: "L16" }] });
    expect(await offer.told("disconnect")).toMatchObject({
      parameters: { reason: "error", info: expect.stringContaining("PCMU") },
    });
    const sessionId = randomUUID();
    const headers = { "audiohook-organization-id": randomUUID(), "audiohook-session-id": sessionId };
    using foreign = await dial(host.url(path), headers);
    const other = platformOn(foreign, sessionId);
    other.open();
    expect(await other.told("disconnect")).toMatchObject({ parameters: { reason: "unauthorized" } });
    const refused = await dialRefused(host.url(path), { "audiohook-session-id": "7" });
    expect(refused).toMatchObject({ status: 400, body: { type: "validation_error" } });
  });

  it("[HOOK-5] survives frames that are too large, and so do the others", async () => {
    const { call, phone } = callVia(host);
    await eventually(() => phone.line !== undefined, "the session is open");
    using client = await dial(host.url(path));
    const { open, told } = platformOn(client);
    open();
    await told("opened");
    client.send(new Uint8Array(70_000));
    client.send(new Uint8Array(600_000));
    expect(await client.closed).toMatchObject({ code: 1009 });
    call.hangUp();
    await call.ended;
    expect(call.faults).toEqual([]);
  });

  it("[HOOK-16] ends the conversation of a platform that goes away", async () => {
    using client = await dial(host.url(path));
    const { open, told, sessionId } = platformOn(client);
    open();
    await told("opened");
    await eventually(async () => (await sessionOf(host, sessionId))?.status === "active", "the conversation has begun");
    client.socket.terminate();
    await eventually(async () => (await sessionOf(host, sessionId))?.status === "ended", "the conversation is over");
  });
});

describe("a telephony platform that has to prove itself", () => {
  const key = { apiKey: "VGhlIGtleQ==", secret: Buffer.from("the secret").toString("base64") };

  it("[HOOK-1] [HOOK-2] is let in with its key and a fresh signature, and only once with each", async () => {
    await using host = await startTestHost({
      settings: { TELEPHONY_API_KEY: key.apiKey, TELEPHONY_CLIENT_SECRET: key.secret },
      providers: { realtimeModel: new FakeRealtimeModel() },
    });
    const { call, phone } = callVia(host, { key });
    await eventually(() => phone.line !== undefined, "the session is open");
    call.hangUp();
    await call.ended;
    expect(call.faults).toEqual([]);

    const identity = {
      "audiohook-organization-id": randomUUID(),
      "audiohook-session-id": randomUUID(),
      "audiohook-correlation-id": randomUUID(),
    };
    const url = new URL(host.url(path));
    const headers = signRequest(url, identity, key, testClock.wallNow());
    (await dial(url.href, headers)).socket.terminate();
    const refusals = [{}, headers, { ...headers, signature: "sig1=:AAAA:" }, { ...identity, "x-api-key": key.apiKey }];
    for (const refused of refusals)
      expect(await dialRefused(url.href, refused)).toMatchObject({ status: 401, body: { type: "unauthorized" } });
  });

  it("[HOOK-1] is refused where no key is configured and authentication is on", async () => {
    await using host = await startTestHost({
      settings: { ENABLE_AUTH_VALIDATION: "true" },
      providers: { realtimeModel: new FakeRealtimeModel() },
    });
    expect(await dialRefused(host.url(path))).toMatchObject({ status: 503, body: { type: "dependency_not_ready" } });
  });

  it("needs a realtime model", async () => {
    await using host = await startTestHost();
    expect(await dialRefused(host.url(path))).toMatchObject({ status: 503, body: { type: "dependency_not_ready" } });
  });
});

describe("a host that is going away", () => {
  it("[DRAIN-1] [HOOK-15b] says goodbye and gives the calls back", async () => {
    const model = new FakeRealtimeModel();
    const host = await startTestHost({ providers: { realtimeModel: model } });
    const { call, phone } = callVia(host);
    await eventually(() => phone.line !== undefined, "the session is open");
    await eventually(async () => (await sessionOf(host, call.sessionId))?.status === "active", "it has begun");
    await host[Symbol.asyncDispose]();
    expect(await call.ended).toMatchObject({ reason: "completed" });
    expect(call.faults).toEqual([]);
  });
});
