import { VoiceError } from "@voice/shared/platform/errors";
import { noCustomers, type CustomerSource } from "@voice/shared/tools/customer";
import { describe, expect, it } from "vitest";
import { channelsRig } from "../../testing/channels-rig.ts";
import { hookSessionId, PlatformEnd } from "../../testing/platform-end.ts";
import { nullId } from "../../transports/telephony/platform-messages.ts";

const path = "/api/v1/telephony/stream";

/** A platform's socket, with nothing said on it. */
function dial(
  options: {
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
) {
  const environment = { COMM_MAX_CALL_DURATION: "10", ...options.environment };
  const rig = channelsRig({ environment, options: { idleMs: 600_000 } });
  const opening = rig.open(`${path}${options.query ?? ""}`, options.headers);
  return { ...rig, opening, platform: new PlatformEnd(opening.socket) };
}

describe("a telephony platform's opening", () => {
  it("[HOOK-6] [HOOK-9b] begins a VOICE_LIVE conversation with what the flow knows", async () => {
    const { opening, platform, pass, sessionOf } = dial({ query: "?agent=card-specialist" });
    platform.open({ inputVariables: { scenario: "banking", agent: "banking-concierge", plan: "gold" } });
    await opening.connection;
    expect(platform.types).toEqual(["opened"]);
    expect(await sessionOf(hookSessionId)).toMatchObject({
      channel: "telephony",
      streamingMode: "VOICE_LIVE",
      scenario: "banking",
      activeAgent: "banking-concierge",
      memory: { context: { plan: "gold", caller: "+12025550123" } },
    });
    await pass(100);
    expect(opening.closes).toBe(0);
  });

  it("[HOOK-9c] takes from the address what the flow does not say", async () => {
    const { opening, platform, sessionOf } = dial({ query: "?scenario=banking&agent=card-specialist" });
    platform.open();
    await opening.connection;
    expect(await sessionOf(hookSessionId)).toMatchObject({ scenario: "banking", activeAgent: "card-specialist" });
  });

  it("[HOOK-9c] takes what the flow leaves empty for what it does not say", async () => {
    const { opening, platform, sessionOf } = dial({ query: "?scenario=banking" });
    platform.open({
      language: null,
      supportedLanguages: null,
      continuedSessions: null,
      customConfig: { scenario: null, agent: "card-specialist", region: null, events: null },
      inputVariables: { scenario: "", agent: "", profile_id: null, plan: null, level: 3 },
    });
    await opening.connection;
    expect(platform.types).toEqual(["opened"]);
    const session = await sessionOf(hookSessionId);
    expect(session).toMatchObject({
      scenario: "banking",
      activeAgent: "card-specialist",
      memory: { context: { level: "3" } },
    });
    expect(JSON.stringify(session)).not.toMatch(/"(plan|region)"/);
  });

  it("[HOOK-9c] may leave out its whole configuration", async () => {
    const { opening, platform } = dial();
    platform.open({ customConfig: null, inputVariables: null });
    await opening.connection;
    expect(platform.types).toEqual(["opened"]);
  });

  it("[HOOK-9a] goes on with the latest session that it continues and that is known", async () => {
    const { opening, platform, pass, open, sessionOf } = dial();
    platform.open();
    await opening.connection;
    await pass(100);
    platform.say("close", { reason: "end" });
    await pass(100);
    const next = open(path);
    const id = "5f0f4f52-5e3c-4a2b-9f5a-0f5f5f5f5f5f";
    const second = new PlatformEnd(next.socket);
    const unknown = "6a6a6a6a-5e3c-4a2b-9f5a-0f5f5f5f5f5f";
    const continuedSessions = [{ id: hookSessionId }, { id: unknown }];
    second.say(
      "open",
      {
        organizationId: "d7934305-0972-4844-938e-9060eef73d05",
        conversationId: unknown,
        participant: { id: unknown, ani: "", aniName: "", dnis: "" },
        media: [{ type: "audio", format: "PCMU", channels: ["external"], rate: 8000 }],
        continuedSessions,
      },
      { id },
    );
    await next.connection;
    expect(await sessionOf(hookSessionId)).toMatchObject({ status: "active" });
    expect(await sessionOf(id)).toBeUndefined();
  });

  it("[HOOK-9a] does not go on with another organization's session", async () => {
    const { opening, platform, pass, open, sessionOf } = dial();
    platform.open();
    await opening.connection;
    platform.say("close", { reason: "end" });
    await pass(100);
    const next = open(path);
    const stranger = new PlatformEnd(next.socket);
    const id = "5f0f4f52-5e3c-4a2b-9f5a-0f5f5f5f5f5f";
    stranger.open({ organizationId: id, continuedSessions: [{ id: hookSessionId }] }, { id });
    await next.connection;
    expect(await sessionOf(id)).toMatchObject({ status: "active" });
    expect(await sessionOf(hookSessionId)).toMatchObject({ status: "ended" });
  });

  it("[HOOK-12c] [HOOK-9d] tells the agents what the integration was set up with, who calls, and in which language", async () => {
    const { opening, platform, sessionOf } = dial({
      query: "?scenario=insurance",
      environment: { TELEPHONY_LANGUAGES: "en-US,de-DE" },
    });
    platform.open({
      language: "de-AT",
      supportedLanguages: true,
      participant: { id: hookSessionId, ani: "+12025550123", aniName: "Ada Lovelace", dnis: "" },
      customConfig: { scenario: "banking", plan: "silver", branch: { city: "Bern" } },
      inputVariables: { plan: "gold" },
    });
    await opening.connection;
    expect(platform.told[0]).toMatchObject({ parameters: { supportedLanguages: ["en-US", "de-DE"] } });
    expect(await sessionOf(hookSessionId)).toMatchObject({
      scenario: "banking",
      memory: {
        spoken_language: "de-DE",
        context: { plan: "gold", branch: { city: "Bern" }, caller_name: "Ada Lovelace", language: "de-DE" },
      },
    });
  });

  it.each([
    ["+12025550123", "+12025550123"],
    ["tel:+12025550123", "+12025550123"],
    ["sip:+12025550123@carrier.example;user=phone", "+12025550123"],
    ["12025550123", "+12025550123"],
    ["anonymous", undefined],
    ["sip:anonymous@anonymous.invalid", undefined],
    ["1001", undefined],
    ["", undefined],
  ])("[NUM-5] looks for a customer by a number, or by none: %j", async (ani, number) => {
    const asked: unknown[] = [];
    const find: CustomerSource["find"] = async ({ phoneNumber }) => {
      asked.push(phoneNumber);
      return { id: "ada", document: {} };
    };
    const rig = channelsRig({ options: { idleMs: 600_000, customers: { ...noCustomers, find } } });
    const opening = rig.open(path);
    new PlatformEnd(opening.socket).open({
      participant: { id: hookSessionId, ani, aniName: "", dnis: "" },
      inputVariables: { profile_id: "ada" },
    });
    await opening.connection;
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((one) => one === number)).toBe(true);
  });

  it("[HOOK-12b] [HOOK-12c] begins in the language that is asked for, and goes on in another when that is asked for", async () => {
    const { opening, platform, realtimeModel, pass } = dial({ environment: { TELEPHONY_LANGUAGES: "en-US,de-DE" } });
    platform.open({ language: "de-DE" });
    await opening.connection;
    await pass(100);
    expect(realtimeModel.opened[0]?.language).toBe("de-DE");
    platform.say("update", { language: "en-US" });
    await pass(100);
    expect(realtimeModel.updates.at(-1)?.language).toBe("en-US");
  });

  it("[HOOK-17] only listens where it is asked to", async () => {
    const { opening, platform, realtimeModel, recogniser, pass, sessionOf } = dial({
      query: "?streaming_mode=TRANSCRIPTION",
    });
    platform.open();
    await opening.connection;
    await pass(100);
    expect(await sessionOf(hookSessionId)).toMatchObject({ streamingMode: "TRANSCRIPTION" });
    recogniser.last.final("I lost my card");
    await pass(5000);
    expect(platform.told.slice(1)).toMatchObject([
      { type: "event", parameters: { entities: [{ type: "transcript", data: { isFinal: true } }] } },
    ]);
    expect(opening.socket.binary).toEqual([]);
    expect(realtimeModel.opened).toEqual([]);
  });

  it("[HOOK-7] that is a probe has no conversation, and is closed when the platform says so", async () => {
    const { opening, platform, sessionOf, realtimeModel } = dial();
    platform.open({ conversationId: nullId, participant: { id: nullId, ani: "", aniName: "", dnis: "" } });
    await opening.connection;
    platform.say("close", { reason: "end" });
    expect(platform.types).toEqual(["opened", "closed"]);
    expect(await sessionOf(hookSessionId)).toBeUndefined();
    expect(realtimeModel.opened).toEqual([]);
    opening.socket.onClose?.("closed with 1000");
    await Promise.resolve();
    expect(opening.closes).toBe(1);
  });

  it.each([
    ["nothing", []],
    ["only the agent's side", [{ type: "audio", format: "PCMU", channels: ["internal"], rate: 8000 }]],
    ["only another format", [{ type: "audio", format: "L16", channels: ["external"], rate: 8000 }]],
  ])("[HOOK-7] that is a probe and offers %s is opened all the same", async (_what, media) => {
    const { opening, platform } = dial();
    platform.open({ conversationId: nullId, participant: { id: nullId, ani: "", aniName: "", dnis: "" }, media });
    await opening.connection;
    platform.say("close", { reason: "end" });
    expect(platform.told).toMatchObject([{ type: "opened", parameters: { media } }, { type: "closed" }]);
  });

  it("[HOOK-8] that names what does not exist is told which, and has no conversation", async () => {
    const { opening, platform, sessionOf } = dial();
    platform.open({ inputVariables: { scenario: "no-such-thing" } });
    await opening.connection;
    expect(platform.told.at(-1)).toMatchObject({
      type: "disconnect",
      parameters: { reason: "error", info: expect.stringContaining("scenario") },
    });
    expect(await sessionOf(hookSessionId)).toBeUndefined();
  });

  it.each([
    [{ media: [{ type: "audio", format: "L16", channels: ["external"], rate: 8000 }] }, "error"],
    [{ organizationId: "00000000-0000-4000-8000-000000000001" }, "unauthorized"],
  ])("[HOOK-6] with %j is refused with %s, and the socket is the platform's to close", async (changes, reason) => {
    const headers = { "audiohook-organization-id": "d7934305-0972-4844-938e-9060eef73d05" };
    const { opening, platform, clock } = dial({ headers });
    platform.open(changes);
    await opening.connection;
    expect(platform.told.at(-1)).toMatchObject({ type: "disconnect", parameters: { reason } });
    expect(opening.socket.closedWith).toBeUndefined();
    clock.advance(10_000);
    expect(opening.socket.closedWith).toBe(1000);
  });

  it("[HOOK-16] that never comes leaves nothing behind when the platform goes away", async () => {
    const { opening, realtimeModel, clock } = dial();
    opening.socket.onClose?.("closed with 1006");
    await opening.connection;
    await Promise.resolve();
    expect(opening.closes).toBe(1);
    expect(realtimeModel.opened).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("a telephony conversation", () => {
  async function talking(environment: Readonly<Record<string, string>> = {}) {
    const rig = dial({ environment });
    rig.platform.open();
    const connection = await rig.opening.connection;
    await rig.pass(100);
    return { ...rig, connection };
  }

  it("[HOOK-15a] that the platform closes is stored before `closed` is said", async () => {
    const { platform, pass, sessionOf, opening } = await talking();
    platform.say("close", { reason: "end" });
    await pass(200);
    expect(platform.told.at(-1)).toMatchObject({
      type: "closed",
      parameters: { outputVariables: { session_id: hookSessionId } },
    });
    expect(await sessionOf(hookSessionId)).toMatchObject({ status: "ended" });
    expect(opening.closes).toBe(1);
  });

  it("[HOOK-16] that the platform goes away from is over", async () => {
    const { opening, pass, sessionOf } = await talking();
    opening.socket.onClose?.("closed with 1006");
    await pass(200);
    expect(await sessionOf(hookSessionId)).toMatchObject({ status: "ended" });
    expect(opening.closes).toBe(1);
  });

  it("[HOOK-10] has at most 400 ms of the agent's words ahead of it, and the silence that fills the last piece", async () => {
    const { opening, realtimeModel, clock, pass } = await talking();
    // Its last piece is half full.
    realtimeModel.answer("item-1", "This is a long answer.", 2500);
    const beganMs = clock.now();
    const aheads: number[] = [];
    while (clock.now() < beganMs + 2480) {
      await pass(10);
      const sentMs = opening.socket.binary.reduce((total, { length }) => total + length, 0) / 8;
      aheads.push(sentMs - (clock.now() - beganMs));
    }
    const endsMs = 2500 - 400;
    expect(Math.max(...aheads.slice(0, endsMs / 10 - 1))).toBeGreaterThan(200);
    expect(Math.max(...aheads.slice(0, endsMs / 10 - 1))).toBeLessThanOrEqual(400);
    expect(Math.max(...aheads)).toBeLessThanOrEqual(400 + 180);
    expect(Math.min(...aheads)).toBeGreaterThanOrEqual(0);
  });

  it("[HOOK-10] [PLAY-9] hears the last word before a tool runs, although the reply goes on after it", async () => {
    const { opening, realtimeModel, pass } = await talking();
    const response = { responseId: "response-1", itemId: "item-1" };
    realtimeModel.emit(
      { type: "response-started", responseId: "response-1" },
      { type: "audio", ...response, samples: new Int16Array(500 * 8).fill(1000) },
    );
    await pass(400);
    expect(opening.socket.binary).toHaveLength(3);
    expect(
      opening.socket.binary
        .at(-1)
        ?.subarray(800)
        .every((byte) => byte === 0xff),
    ).toBe(true);
    realtimeModel.emit({ type: "audio", ...response, samples: new Int16Array(400 * 8).fill(1000) });
    await pass(400);
    expect(opening.socket.binary).toHaveLength(5);
  });

  it("[HOOK-8] that loses its model ends as an error, and the flow is told why", async () => {
    const { platform, realtimeModel, pass } = await talking({ CLOUD_VOICELIVE_FALLBACK: "false" });
    const refusal = new VoiceError("upstream_unavailable", "the model is away");
    realtimeModel.refusals.push(...Array.from({ length: 50 }, () => refusal));
    realtimeModel.end(refusal);
    await pass(60_000);
    expect(platform.told.findLast(({ type }) => type === "disconnect")).toMatchObject({
      parameters: { reason: "error", outputVariables: { session_id: hookSessionId, end_reason: "realtime_lost" } },
    });
  });

  it("[HOOK-15b] [END-4] that has lasted as long as a call may tells the flow why it ended", async () => {
    const { platform, pass, realtimeModel } = await talking();
    realtimeModel.answer("item-1", "Hello.", 100);
    await pass(9000);
    expect(platform.types).not.toContain("disconnect");
    await pass(30_000);
    expect(platform.told.findLast(({ type }) => type === "disconnect")).toMatchObject({
      parameters: { reason: "completed", outputVariables: { session_id: hookSessionId, end_reason: "call_too_long" } },
    });
  });

  it("[DRAIN-1] [HOOK-15b] on a host that goes away is given back", async () => {
    const { platform, pass, connection, sessionOf } = await talking();
    await connection.close("draining");
    await pass(100);
    expect(platform.told.at(-1)).toMatchObject({ type: "disconnect", parameters: { reason: "completed" } });
    expect(await sessionOf(hookSessionId)).toMatchObject({ status: "ended" });
  });
});
