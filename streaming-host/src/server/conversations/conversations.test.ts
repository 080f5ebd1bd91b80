import { anonymous } from "@voice/shared/auth/caller";
import { VoiceError } from "@voice/shared/platform/errors";
import { generateProfile } from "@voice/demo/profiles/generate";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RecordedTelemetry } from "../../testing/recorded-telemetry.ts";
import { conversationsRig } from "../../testing/conversations-rig.ts";
import type { ConversationsRigOptions } from "../../testing/conversations-rig.ts";

const aWhileMs = 500;
const update = z.object({ type: z.string(), payload: z.looseObject({ name: z.string().optional() }) });

async function withCustomer(options: ConversationsRigOptions = {}) {
  const rig = conversationsRig(options);
  const document = generateProfile({ profileId: "customer-1", nowMs: rig.clock.wallNow(), seed: 1 });
  await rig.state.profiles.create({ profileId: "customer-1", document: { ...document } });
  return { ...rig, name: document.full_name };
}

describe("names in a request", () => {
  it.each([
    [{ scenario: "no-such-scenario" }, "not_found"],
    [{ agent: "no-such-agent" }, "not_found"],
    [{ scenario: "banking", agent: "no-such-agent" }, "not_found"],
    [{ profileId: "no-such-profile" }, "not_found"],
  ])("[HS-2a] must exist: %j is refused", async (names, code) => {
    const { conversations, connect, left } = conversationsRig();
    await expect(conversations.checkNames({ caller: anonymous, ...names })).rejects.toMatchObject({ code });
    await expect(connect(names)).rejects.toMatchObject({ code });
    expect(left).toEqual([]);
  });

  it("[HS-2a] may be absent, or names that exist", async () => {
    const { conversations } = await withCustomer();
    await expect(conversations.checkNames({ caller: anonymous })).resolves.toBeUndefined();
    const names = { scenario: "banking", agent: "card-specialist", profileId: "customer-1" };
    await expect(conversations.checkNames({ caller: anonymous, ...names })).resolves.toBeUndefined();
  });

  it("[HS-2a] is looked for in the scenario that the session is in", async () => {
    const { conversations, connect } = conversationsRig();
    const agent = "card-specialist";
    await connect({ sessionId: "session-in-banking", scenario: "banking" });
    await conversations.checkNames({ caller: anonymous, sessionId: "session-in-banking", agent });
    await connect({ sessionId: "session-elsewhere", scenario: "insurance" });
    const elsewhere = { sessionId: "session-elsewhere", agent };
    await expect(conversations.checkNames({ caller: anonymous, ...elsewhere })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("an agent with several prompts", () => {
  it("[PROMPT-3] has its version in the history, in the turn's figures and in the metrics", async () => {
    const builtIn = conversationsRig().catalog;
    const concierge = builtIn.agents.get("banking-concierge");
    if (concierge === undefined) throw new Error("no agent");
    const otherPrompts = [{ version: "v2", prompt: "Be brief.", promptPath: "prompt.v2.md", share: 100 }];
    const agents = new Map([...builtIn.agents, ["banking-concierge", { ...concierge, otherPrompts }]]);
    const telemetry = new RecordedTelemetry();
    const { connect, pass, state } = conversationsRig({ options: { telemetry, catalog: { ...builtIn, agents } } });
    const browser = await connect({ sessionId: "session-of-two-prompts", scenario: "banking" });
    await pass(aWhileMs);
    browser.type("hello");
    await pass(5000);
    const history = await state.sessions.history("session-of-two-prompts");
    const said = history.filter(({ role }) => role === "assistant");
    expect(said.length).toBeGreaterThan(0);
    expect(said.every(({ promptVersion }) => promptVersion === "v2")).toBe(true);
    const turns = await state.sessions.metrics("session-of-two-prompts");
    expect(turns.at(-1)).toMatchObject({ agent: "banking-concierge", promptVersion: "v2" });
    expect(JSON.stringify(telemetry.values)).toContain('"prompt_version":"v2"');
  });
});

describe("the customer of a session", () => {
  it("[LIVE-3] is in the recogniser's hints by name, also when the session continues on another socket", async () => {
    const { connect, pass, recogniser, name } = await withCustomer();
    const sessionId = "session-of-a-customer";
    const first = await connect({ sessionId, profileId: "customer-1" });
    await pass(aWhileMs);
    expect(JSON.stringify(recogniser.last.options)).toContain(name);
    first.leave();
    await pass(aWhileMs);
    await connect({ sessionId });
    await pass(aWhileMs);
    expect(recogniser.streams).toHaveLength(2);
    expect(JSON.stringify(recogniser.last.options)).toContain(name);
  });

  it("[LIVE-3] that has expired meanwhile does not keep the session from continuing", async () => {
    const { connect, pass, clock, state, name, recogniser } = await withCustomer();
    const sessionId = "session-of-a-customer";
    const first = await connect({ sessionId, profileId: "customer-1" });
    await pass(aWhileMs);
    first.leave();
    await pass(aWhileMs);
    state.profiles.get = async () => undefined;
    const second = await connect({ sessionId });
    await clock.advanceAsync(aWhileMs, 10);
    expect(second.of("session")[0]).toMatchObject({ resumed: true });
    expect(JSON.stringify(recogniser.last.options)).not.toContain(name);
  });
});

describe("those who watch", () => {
  async function watched(options: ConversationsRigOptions = {}) {
    const rig = conversationsRig(options);
    const sessionId = "session-that-is-watched";
    const told: string[] = [];
    await rig.state.liveUpdates.watch({ sessionId }, ({ text }) => {
      const { type, payload } = update.parse(JSON.parse(text));
      told.push(payload.name === "session_ended" ? `session_ended: ${String(payload["reason"])}` : type);
    });
    const browser = await rig.connect({ sessionId });
    await rig.pass(aWhileMs);
    return { ...rig, sessionId, told, browser };
  }

  it("[HS-10a] are told that a session began, what is said in it, and that its caller left", async () => {
    const { told, browser, pass } = await watched();
    browser.type("hello");
    await pass(aWhileMs);
    browser.leave();
    await pass(aWhileMs);
    expect(told[0]).toBe("session");
    expect(told).toEqual(expect.arrayContaining(["transcript", "response"]));
    expect(told.at(-1)).toBe("session_ended: caller_left");
  });

  it("[HS-10a] are not told of an end where a newer socket continues the session", async () => {
    const { told, connect, sessionId, pass } = await watched();
    const newer = await connect({ sessionId });
    await pass(aWhileMs);
    expect(told.filter((entry) => entry.startsWith("session_ended"))).toEqual([]);
    newer.leave();
    await pass(aWhileMs);
    expect(told.filter((entry) => entry.startsWith("session_ended"))).toEqual(["session_ended: caller_left"]);
  });

  it("[HS-10a] [CTRL-2] are told that the caller began another conversation, and it is stored why the old one ended", async () => {
    const { told, browser, sessionId, state, pass } = await watched();
    browser.say({ type: "control", action: "reset" });
    await pass(aWhileMs);
    expect(told.at(-1)).toBe("session_ended: reset");
    expect(await state.sessions.get(sessionId)).toMatchObject({ status: "ended", endReason: "reset" });
  });

  it("[HS-10a] [HS-6] are not told of an end where the caller chooses another scenario", async () => {
    const { told, browser, pass } = await watched();
    browser.say({ type: "config", scenario: "insurance" });
    await pass(aWhileMs);
    expect(told.filter((entry) => entry === "session" || entry.startsWith("session_ended"))).toEqual([
      "session",
      "session",
    ]);
  });

  it("[HS-10a] are told once of an end that the caller is told of as well", async () => {
    const { told, browser, pass } = await watched();
    browser.connection.drain();
    await pass(3000);
    expect(browser.socket.closedWith).toBe(1001);
    expect(told.filter((entry) => entry.startsWith("session_ended"))).toEqual(["session_ended: draining"]);
  });
});

describe("the mode that a session runs in", () => {
  it("is the cascade's: recogniser, language model and synthesiser", async () => {
    const { connect, pass, recogniser, synthesiser, realtimeModel } = conversationsRig();
    await connect({ streamingMode: "REALTIME" });
    await pass(aWhileMs);
    expect(recogniser.streams).toHaveLength(1);
    expect(synthesiser.requests.length).toBeGreaterThan(0);
    expect(realtimeModel.opened).toEqual([]);
  });

  it("is the realtime model's in VOICE_LIVE", async () => {
    const { connect, pass, recogniser, realtimeModel } = conversationsRig();
    await connect({ streamingMode: "VOICE_LIVE" });
    await pass(aWhileMs);
    expect(realtimeModel.opened).toHaveLength(1);
    expect(recogniser.streams).toEqual([]);
  });

  it("says nothing in TRANSCRIPTION", async () => {
    const { connect, pass, recogniser, synthesiser } = conversationsRig();
    const browser = await connect({ streamingMode: "TRANSCRIPTION" });
    await pass(aWhileMs);
    recogniser.last.final("hello there");
    await pass(aWhileMs);
    expect(browser.of("transcript")).toMatchObject([{ text: "hello there", is_final: true }]);
    expect(browser.of("response")).toEqual([]);
    expect(synthesiser.requests).toEqual([]);
  });

  it("[FAIL-6a] [FAIL-6f] changes to the cascade when the realtime model is gone and the settings allow it", async () => {
    const { connect, pass, realtimeModel } = conversationsRig({ environment: { CLOUD_VOICELIVE_FALLBACK: "true" } });
    const browser = await connect({ streamingMode: "VOICE_LIVE" });
    await pass(aWhileMs);
    realtimeModel.end(new VoiceError("upstream_unavailable", "the model is gone", { retryable: false }));
    realtimeModel.hangs = true;
    await pass(10_000);
    expect(browser.events("fallback")).toHaveLength(1);
    browser.type("hello");
    await pass(2000);
    expect(browser.heard.at(-1)).toBe("You said hello.");
    browser.say({ type: "control", action: "stop" });
    await pass(aWhileMs);
    expect(browser).toMatchObject({ closes: 1, endReasons: [] });
  });

  it("[FAIL-6g] does not change otherwise: the conversation ends with its model", async () => {
    const { connect, pass, realtimeModel } = conversationsRig({ environment: { CLOUD_VOICELIVE_FALLBACK: "false" } });
    const browser = await connect({ streamingMode: "VOICE_LIVE" });
    await pass(aWhileMs);
    realtimeModel.hangs = true;
    realtimeModel.end(new VoiceError("upstream_unavailable", "the model is gone", { retryable: false }));
    await pass(60_000);
    expect(browser.events("fallback")).toEqual([]);
    expect(browser.closes).toBe(1);
  });
});

describe("an outbound call", () => {
  function outbound() {
    const machines: string[] = [];
    const callControl = {
      carryOut: async () => ({ ok: true }) as const,
      recordAnswer: async (
        id: string,
        answeredBy: string,
        { evidence, answer }: { readonly evidence: string; readonly answer: string },
      ) => void machines.push(`${id} ${answeredBy} ${evidence} ${answer}`),
    };
    const rig = conversationsRig({ options: { callControl } });
    const call = { sessionId: "session-of-a-call", callConnectionId: "connection-1", voicemail: "hang-up" } as const;
    return { ...rig, machines, call };
  }

  it("[VM-1a] [VM-3] [TIMELINE-7] that a machine takes is noted, and hung up where the settings say so", async () => {
    const { connect, pass, recogniser, machines, call, state } = outbound();
    const browser = await connect(call);
    await pass(100);
    recogniser.last.final("please leave a message after the tone");
    await pass(2000);
    expect(machines).toEqual(["connection-1 machine words hang-up"]);
    expect(browser.endReasons).toEqual(["voicemail"]);
    // Those who watched have been sent its words and what it is; the peer itself is not told.
    const stored = (await state.messageLog.read(call.sessionId)).join("");
    expect(stored).toContain("please leave a message after the tone");
    expect(stored).toContain('{"name":"answered_by","answered_by":"machine","evidence":"words"}');
    expect(browser.events("answered_by")).toEqual([]);
  });

  it("[VM-6] that a receptionist takes with a long greeting is answered, though a message was about to be left", async () => {
    const { connect, pass, recogniser, machines, call } = outbound();
    const browser = await connect({ ...call, voicemail: "message" });
    await pass(aWhileMs);
    const greeted = browser.heard.length;
    for (let heardMs = 0; heardMs < 5500; heardMs += 20) {
      browser.socket.deliver(Buffer.alloc(640, 40));
      await pass(20);
    }
    recogniser.last.final("you are speaking with anna how can i help you");
    await pass(4000);
    expect(browser.heard.slice(greeted)).toContain("You said you are speaking with anna how can i help you.");
    expect([machines, browser.endReasons]).toEqual([[], []]);
  });

  it("[VM-7] that a menu takes is noted, and the conversation goes on", async () => {
    const { connect, pass, recogniser, machines, call } = outbound();
    const browser = await connect(call);
    await pass(100);
    recogniser.last.final("for sales press one to leave a message press two");
    await pass(2000);
    expect(machines).toEqual(["connection-1 menu words hang-up"]);
    expect(browser.endReasons).toEqual([]);
  });

  it.each([
    ["hang-up", ["not_in_service"]],
    ["message", ["not_in_service"]],
    ["ignore", []],
  ] as const)(
    "[VM-8] that nobody can take is hung up, except where machines are ignored: %s",
    async (voicemail, ends) => {
      const { connect, pass, recogniser, machines, call } = outbound();
      const browser = await connect({ ...call, voicemail });
      await pass(100);
      recogniser.last.final("the number you have dialed is not in service");
      await pass(2000);
      expect(machines).toEqual([`connection-1 not_in_service words ${voicemail}`]);
      expect(browser.endReasons).toEqual(ends);
    },
  );

  it.each([
    ["message", "voicemail_message_left", 1],
    ["hang-up", "voicemail", 0],
  ] as const)("[VM-4] that a machine took gets its %s from the next host", async (voicemail, reason, messages) => {
    const { connect, pass, recogniser, machines, call } = outbound();
    const first = await connect({ ...call, voicemail });
    await pass(100);
    first.leave();
    await pass(aWhileMs);
    const next = await connect({ ...call, voicemail, isMachine: true });
    if (messages > 0) recogniser.last.final("we are not at home");
    const silence = Buffer.alloc(640);
    for (let heardMs = 0; heardMs < 3000; heardMs += 20) {
      next.socket.deliver(silence);
      await pass(20);
    }
    await pass(aWhileMs);
    expect(next.heard.filter((text) => text !== "")).toHaveLength(messages);
    expect(next.endReasons).toEqual([reason]);
    expect(machines).toEqual([]); // it is known
  });

  it("[VM-1a] is not looked at again when it continues: somebody has answered it", async () => {
    const { connect, pass, recogniser, machines, call } = outbound();
    const first = await connect(call);
    await pass(aWhileMs);
    first.leave();
    await pass(aWhileMs);
    await connect(call);
    await pass(100);
    recogniser.last.final("please leave a message after the tone");
    await pass(2000);
    expect(machines).toEqual([]);
  });
});
