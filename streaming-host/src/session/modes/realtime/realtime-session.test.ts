import type { Guardrail } from "@voice/shared/catalog/guardrail";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { fakeAgent, fakeCatalog } from "../../../testing/fake-catalog.ts";
import type { EffectOutcome, HostEffect } from "../../conversation/host-effects.ts";
import { startRealtimeRig as rig } from "../../../testing/realtime-rig.ts";

describe("realtime session", () => {
  it("[HOOK-14a] tells where in the caller's audio the words stand, also on the second connection", async () => {
    const { model, session, transport, clock } = await rig();
    const say = (itemId: string, from: number, until: number): void => {
      model.emit({ type: "speech-started", itemId, atMs: from }, { type: "speech-stopped", itemId, atMs: until });
      model.emit({ type: "user-transcript", itemId, text: "Hello there.", isFinal: true });
    };
    const second = new Int16Array(24_000);
    for (let at = 0; at < 60; at++) session.onAudio(second);
    say("a", 58_000, 59_500);
    const appendedBefore = model.appendedSamples;
    model.end(new VoiceError("upstream_unavailable", "the connection broke"));
    await clock.advanceAsync(3000, 10);
    session.onAudio(second);
    // The new connection was given the newest of the audio only, and counts from there.
    const appendedMs = (model.appendedSamples - appendedBefore) / 24;
    expect(appendedMs).toBeLessThan(30_000);
    say("b", appendedMs - 500, appendedMs);
    const places = transport.notices.flatMap((notice) =>
      notice.type === "transcript" && notice.payload.is_final ? [[notice.payload.start_ms, notice.payload.end_ms]] : [],
    );
    expect(places).toEqual([
      [58_000, 59_500],
      [60_500, 61_000],
    ]);
  });

  it("[HS-5] has the greeting spoken and stores it once it was heard", async () => {
    const { model, transport, clock } = await rig();
    expect(model.log).toEqual(["respond Hello from desk."]);
    model.answer("a", "Hello from desk.", 800);
    await clock.advanceAsync(790, 10);
    expect(transport.heard).toEqual([]);
    await clock.advanceAsync(20, 10);
    expect(transport.heard).toEqual([{ text: "Hello from desk.", interrupted: false, agent: "desk" }]);
  });

  it("[BARGE-5] [HIST-2] stops at the caller's first sound and tells the model what was heard", async () => {
    const { model, transport, clock } = await rig();
    model.answer("a", "one two three four", 2000);
    await clock.advanceAsync(1000, 10);
    const sent = transport.frames.length;
    model.emit({ type: "speech-started", itemId: "u", atMs: 1000 });
    expect(transport.stops).toHaveLength(1);
    await clock.advanceAsync(500, 10);
    expect(transport.frames).toHaveLength(sent);
    expect(model.log.slice(1)).toEqual(["cancel", "truncate a 1000"]);
    expect(transport.heard).toEqual([{ text: "one two", interrupted: true, agent: "desk" }]);
  });

  it("[BARGE-5] ignores what still arrives of a reply that was interrupted", async () => {
    const { model, transport, clock } = await rig();
    model.answer("a", "one two", 1000);
    await clock.advanceAsync(200, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 200 });
    const sent = transport.frames.length;
    model.emit({ type: "audio", responseId: "response-a", itemId: "a", samples: new Int16Array(24_000) });
    await clock.advanceAsync(500, 10);
    expect(transport.frames).toHaveLength(sent);
  });

  it("[TURN-12c] [HIST-1] ends the turn for a client that says the caller has finished, asks for the answer and stores the words", async () => {
    const { model, session, clock, transport } = await rig();
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    session.onAudio(new Int16Array(24 * 500).fill(2000));
    model.emit({ type: "speech-started", itemId: "u", atMs: 100 });
    const before = model.log.length;
    session.handle({ type: "caller-finished" });
    expect(model.log.slice(before)).toEqual(["commit", "respond if free"]);
    // The item that was committed is another than the one that was announced, and its speech is never reported to stop.
    model.emit({ type: "audio-committed", itemId: "v" });
    model.emit({ type: "user-transcript", itemId: "v", text: "My balance.", isFinal: true });
    const appended = model.appendedSamples;
    model.answer("b", "It is nine.", 100);
    await clock.advanceAsync(5000, 10);
    expect(model.appendedSamples).toBe(appended);
    expect(transport.heard.at(-1)?.text).toBe("It is nine.");
    expect(transport.notices.filter(({ type }) => type === "transcript")).toMatchObject([
      { payload: { text: "My balance.", start_ms: 100, end_ms: 500 } },
    ]);
  });

  it("[TURN-15a] gives the service silence when no audio comes in the middle of speech", async () => {
    const { model, session, clock } = await rig();
    session.onAudio(new Int16Array(480));
    model.emit({ type: "speech-started", itemId: "u", atMs: 0 });
    await clock.advanceAsync(3000, 10);
    const silenceSamples = model.appendedSamples - 480;
    expect(silenceSamples / 24).toBeGreaterThanOrEqual(2000);
    model.emit({ type: "speech-stopped", itemId: "u", atMs: 20 });
    await clock.advanceAsync(3000, 10);
    expect(model.appendedSamples).toBe(480 + silenceSamples);
    await session.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("[FR-9] sends what a quiet line brings in pieces of 100 ms, and at once what a caller says", async () => {
    const { model, session, clock } = await rig();
    let level = 0;
    /** Each frame of 20 ms has another level, so that none can be lost or change places. */
    const hear = (ms: number, base: number): void => {
      for (let at = 0; at < ms; at += 20) session.onAudio(new Int16Array(480).fill(base + (level = (level + 1) % 50)));
    };
    const pieces = (): readonly number[] => model.appended.splice(0).map(({ length }) => length / 24);
    const frames = (ms: number): readonly number[] => Array.from({ length: ms / 20 }, () => 20);

    hear(980, 0);
    expect(pieces()).toEqual(frames(980));
    hear(580, 0);
    expect(pieces()).toEqual([100, 100, 100, 100, 100]);
    hear(60, 2000);
    expect(model.appended.map((samples) => [...new Set(samples)])).toEqual([[25, 26, 27, 28, 2029], [2030], [2031]]);
    expect(pieces()).toEqual([100, 20, 20]);

    model.emit({ type: "speech-started", itemId: "u", atMs: 1600 });
    hear(1500, 0);
    expect(pieces()).toEqual(frames(1500));
    model.emit({ type: "user-transcript", itemId: "u", text: "Hello.", isFinal: true });
    hear(160, 0);
    expect(pieces()).toEqual([100]);
    session.handle({ type: "whole-turn", text: "Are you there?" });
    await clock.advanceAsync(1);
    expect(pieces()).toEqual([60]);
    session.onAudio(new Int16Array(24 * 80));
    session.onAudio(new Int16Array(24 * 200));
    expect(pieces()).toEqual([80, 200]);
  });

  it("[IDLE-1] waits for a caller who types a long number", async () => {
    const { model, session, clock } = await rig();
    model.answer("a", "Your number, please.", 500);
    for (let key = 0; key < 8; key++) {
      await clock.advanceAsync(5000, 50);
      session.handle({ type: "key-pressed" });
    }
    expect(model.log).toEqual(["respond Hello from desk."]);
    await clock.advanceAsync(10_000, 50);
    expect(model.log).toHaveLength(2);
  });

  it("[VM-2] falls silent for a machine, and leaves its message to the end", async () => {
    const { model, transport, clock, session } = await rig();
    model.answer("a", "Hello from desk.", 800);
    session.handle({ type: "voicemail-answered" });
    model.emit({ type: "speech-started", itemId: "u", atMs: 100 }, { type: "speech-stopped", itemId: "u", atMs: 900 });
    model.answer("b", "Who is there?", 500);
    await clock.advanceAsync(20_000, 100);
    expect(transport.heard.filter(({ text }) => text === "Who is there?")).toEqual([]);
    session.handle({ type: "last-words", text: "Call us back.", reason: "left" });
    expect(model.log.at(-1)).toBe("respond Call us back.");
    model.answer("c", "Call us back.", 600);
    model.emit({ type: "speech-started", itemId: "v", atMs: 1000 });
    await clock.advanceAsync(1000, 10);
    expect(transport.heard.at(-1)).toMatchObject({ text: "Call us back.", interrupted: false });
    expect(await session.ended).toBe("left");
  });

  it("runs a tool, gives its result back and lets the answer go on", async () => {
    const { model, transport, clock } = await rig();
    const call = { id: "call-1", name: "look_up", argumentsJson: "{}" };
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "tool-call", responseId: "r", call },
      { type: "response-finished", responseId: "r", status: "completed" },
    );
    await clock.advanceAsync(10);
    expect(model.log.slice(1)).toEqual(['result call-1 {"success":true}', "respond"]);
    model.answer("b", "Ten dollars.", 300);
    await clock.advanceAsync(400, 10);
    expect(transport.heard).toEqual([{ text: "Ten dollars.", interrupted: false, agent: "desk" }]);
    expect(transport.notices.filter(({ type }) => type === "tool_call")).toHaveLength(2);
  });

  it("hands over: new instructions and voice, and the new agent's greeting first", async () => {
    const { model, transport, clock, conversation } = await rig({
      outcome: { effects: [{ type: "handoff", to: "cards", reason: "lost card", context: {} }] },
    });
    const call = { id: "call-1", name: "handoff_to_agent", argumentsJson: "{}" };
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "tool-call", responseId: "r", call },
      { type: "response-finished", responseId: "r", status: "completed" },
    );
    await clock.advanceAsync(10);
    expect(model.log).toContain("update voice of cards");
    expect(model.log.at(-1)).toBe("respond Hello from cards.");
    model.answer("b", "Hello from cards.", 200);
    expect(model.log.at(-1)).toMatch(/^respond You have just taken over this call, and have greeted/);
    expect(conversation.agent.name).toBe("cards");
    expect(transport.notices.find(({ type }) => type === "handoff")?.payload).toMatchObject({
      from: "desk",
      to: "cards",
    });
  });

  it("[FAIL-4d] opens another session with the history when the service ends one", async () => {
    const { model, clock, session } = await rig();
    model.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    model.emit({ type: "user-transcript", itemId: "u", text: "hello", isFinal: true });
    model.end(new VoiceError("upstream_unavailable", "gone"));
    session.onAudio(new Int16Array(480));
    await clock.advanceAsync(300, 10);
    expect(model.opened).toHaveLength(2);
    expect(model.remembered).toEqual([
      { role: "assistant", text: "Hello from desk." },
      { role: "user", text: "hello" },
    ]);
    expect(model.appendedSamples).toBe(480);
  });

  it("ends with a reason when no session can be had", async () => {
    const { model, session, clock, transport } = await rig();
    const gone = () => new VoiceError("upstream_unavailable", "gone");
    model.refusals.push(gone(), gone(), gone());
    model.end(gone());
    await clock.advanceAsync(3000, 50);
    expect(await session.ended).toBe("realtime_lost");
    expect(transport.notices.find(({ type }) => type === "error")?.payload).toMatchObject({
      code: "upstream_unavailable",
    });
  });

  it("[IDLE-1] [IDLE-2] reprompts a silent caller twice, then says goodbye and ends", async () => {
    const { model, session, clock } = await rig();
    for (const item of ["a", "b", "c", "d"]) {
      model.answer(item, "words", 100);
      await clock.advanceAsync(10_200, 100);
    }
    expect(model.log.map((entry) => entry.split(" ", 1)[0])).toEqual(["respond", "respond", "respond", "respond"]);
    expect(model.log.at(-1)).toBe("respond Goodbye.");
    expect(await session.ended).toBe("caller_silent");
  });

  it("[FAIL-1] apologises when nothing follows the caller's words", async () => {
    const { model, clock } = await rig();
    model.emit({ type: "speech-stopped", itemId: "u", atMs: 0 });
    await clock.advanceAsync(10_100, 100);
    expect(model.log.at(-1)).toContain("sorry");
  });

  it("[LIVE-1] tells the service of a change before it answers the next typed turn", async () => {
    const changed = fakeCatalog({
      agents: [fakeAgent("desk", { voice: { name: "another voice" } }), fakeAgent("cards")],
    });
    const { model, session, clock } = await rig({ checkForChanges: async () => changed });
    session.handle({ type: "whole-turn", text: "hello" });
    await clock.advanceAsync(5);
    const [update, text] = ["update another voice", "text hello"].map((entry) => model.log.indexOf(entry));
    expect(update).toBeGreaterThanOrEqual(0);
    expect(text).toBeGreaterThan(update ?? 0);
  });

  it("[EFFECT-2a] [EFFECT-3] [EFFECT-4] transfers when its words were heard, waits, and says when nobody was reached", async () => {
    const asked = Promise.withResolvers<EffectOutcome>();
    const effects: HostEffect[] = [];
    const { model, transport, clock } = await rig({
      outcome: { effects: [{ type: "transfer", target: "person", reason: "wanted" }] },
      onEffect: async (effect) => {
        effects.push(effect);
        return asked.promise;
      },
    });
    model.callTool("transfer");
    await clock.advanceAsync(10);
    model.answer("b", "I am connecting you.", 300);
    await clock.advanceAsync(250, 10);
    expect(effects).toEqual([]);
    await clock.advanceAsync(200, 10);
    expect(effects).toMatchObject([{ type: "transfer" }]);
    await clock.advanceAsync(15_000, 100);
    expect(model.log.filter((entry) => entry.startsWith("respond I am still connecting you"))).toHaveLength(1);
    model.answer("c", "I am still connecting you.", 300);
    await clock.advanceAsync(400, 10);
    asked.resolve({ ok: false, reason: "busy" });
    await clock.advanceAsync(10);
    expect(model.log.at(-1)).toMatch(/^respond I am sorry, I could not get through/);
    expect(transport.heard).toHaveLength(2);
  });

  it("[EFFECT-2b] does not transfer a caller who spoke over the announcement, and tells the model so", async () => {
    const effects: HostEffect[] = [];
    const { model, session, clock } = await rig({
      outcome: { effects: [{ type: "transfer", target: "person", reason: "wanted" }] },
      onEffect: async (effect) => {
        effects.push(effect);
        return { ok: true };
      },
    });
    model.callTool("transfer");
    await clock.advanceAsync(10);
    model.answer("b", "I am connecting you.", 300);
    await clock.advanceAsync(150, 10);
    session.handle({ type: "whole-turn", text: "wait" });
    await clock.advanceAsync(2000, 10);
    expect(effects).toEqual([]);
    expect(model.remembered.at(-1)).toMatchObject({ text: expect.stringContaining("spoke over the announcement") });
  });

  it("[EFFECT-2a] [EFFECT-7a] [EFFECT-7b] holds when its words were heard, is silent meanwhile, and says that the caller is back", async () => {
    const asked = Promise.withResolvers<EffectOutcome>();
    const effects: HostEffect[] = [];
    const { model, clock } = await rig({
      outcome: { effects: [{ type: "hold", seconds: 60 }] },
      onEffect: async (effect) => {
        effects.push(effect);
        return asked.promise;
      },
    });
    model.callTool("hold_call");
    await clock.advanceAsync(10);
    model.answer("b", "I am putting you on hold.", 300);
    await clock.advanceAsync(250, 10);
    expect(effects).toEqual([]);
    await clock.advanceAsync(200, 10);
    expect(effects).toMatchObject([{ type: "hold" }]);
    await clock.advanceAsync(60_000, 100);
    expect(model.log.at(-1)).toBe("respond");
    asked.resolve({ ok: true });
    await clock.advanceAsync(10);
    expect(model.log.at(-1)).toBe("respond Thank you for holding. How can I help you now?");
  });

  it("[FAIL-2a] apologises when a response is not complete and has nothing to say", async () => {
    const { model } = await rig();
    model.emit(
      { type: "response-started", responseId: "1" },
      { type: "response-finished", responseId: "1", status: "incomplete" },
    );
    expect(model.log.at(-1)).toMatch(/^respond I am sorry/);
  });

  it("takes sound without words for no turn", async () => {
    const { model, clock } = await rig();
    model.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    model.emit(
      { type: "speech-started", itemId: "u", atMs: 0 },
      { type: "speech-stopped", itemId: "u", atMs: 100 },
      { type: "user-transcript", itemId: "u", text: "", isFinal: true },
    );
    await clock.advanceAsync(10_050, 50);
    expect(model.log.at(-1)).toBe("respond Are you still there?");
  });

  it("[BARGE-3c] has the model go on after a sound without words, from where the caller stopped hearing it", async () => {
    const { model, clock } = await rig();
    model.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    model.answer("b", "one two three four", 2000);
    await clock.advanceAsync(1000, 10);
    model.emit(
      { type: "speech-started", itemId: "u", atMs: 0 },
      { type: "speech-stopped", itemId: "u", atMs: 100 },
      { type: "user-transcript", itemId: "u", text: "", isFinal: true },
    );
    await clock.advanceAsync(310, 10);
    expect(model.log.slice(1)).toEqual([
      "cancel",
      "truncate b 1000",
      expect.stringMatching(/^respond A sound without words/),
    ]);
  });

  it("[CTRL-1] waits for nobody while it is paused", async () => {
    const { model, clock, session } = await rig();
    model.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    session.handle({ type: "paused", isPaused: true });
    await clock.advanceAsync(30_000, 100);
    expect(model.log).toHaveLength(1);
    session.handle({ type: "paused", isPaused: false });
    await clock.advanceAsync(10_100, 50);
    expect(model.log.at(-1)).toBe("respond Are you still there?");
  });

  it("[HIST-1] stores what the caller was saying when they hung up, and what they had just typed", async () => {
    const looks = Promise.withResolvers<undefined>();
    const { model, session, clock, state, conversation } = await rig({ checkForChanges: () => looks.promise });
    model.answer("a", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 200 });
    model.emit({ type: "user-transcript", itemId: "u", text: "please cancel my", isFinal: false });
    session.handle({ type: "whole-turn", text: "my card" });
    await session.close("finished");
    const history = await state.sessions.history(conversation.sessionId);
    expect(history.map(({ content, interrupted }) => [content, interrupted])).toEqual([
      ["Hello from desk.", false],
      ["please cancel my my card", true],
    ]);
  });

  it("[HIST-1] stores the caller's words once when they hang up after them", async () => {
    const { model, session, clock, state, conversation } = await rig();
    model.answer("a", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.emit({ type: "user-transcript", itemId: "u", text: "good", isFinal: false });
    model.emit({ type: "user-transcript", itemId: "u", text: "goodbye", isFinal: true });
    session.handle({ type: "whole-turn", text: "and thank you" });
    await clock.advanceAsync(10);
    await session.close("finished");
    const history = await state.sessions.history(conversation.sessionId);
    expect(history.map(({ content }) => content)).toEqual(["Hello from desk.", "goodbye", "and thank you"]);
  });

  it("[DRAIN-2] releases everything when the socket closes", async () => {
    const { model, session, clock, transport } = await rig();
    model.answer("a", "words", 1000);
    await session.close("finished");
    expect(model.isClosed).toBe(true);
    expect(transport.closedWith).toBe("finished");
    await clock.advanceAsync(200, 50);
    expect(clock.pendingTimers).toBe(0);
  });

  async function askForSlowTool(slowMs: number) {
    const parts = await rig({ slowMs });
    const responseId = "r";
    const call = { id: "c", name: "look_up", argumentsJson: "{}" };
    parts.model.emit({ type: "response-started", responseId });
    parts.model.emit(
      { type: "tool-call", responseId, call },
      { type: "response-finished", responseId, status: "completed" },
    );
    await parts.clock.advanceAsync(10);
    return parts;
  }

  it("says that a slow tool takes a moment, and answers after that sentence, not into it", async () => {
    const { model, clock, transport } = await askForSlowTool(500);
    expect(model.log.slice(1)).toEqual(["respond One moment."]);
    await clock.advanceAsync(600, 10);
    expect(model.log.at(-1)).toMatch(/^result c/);
    model.answer("notice", "One moment.", 400);
    await clock.advanceAsync(10);
    expect(model.log.at(-1)).toBe("respond");
    model.answer("answer", "Ten dollars.", 400);
    await clock.advanceAsync(1000, 10);
    expect(transport.heard.at(-1)?.text).toBe("One moment. Ten dollars.");
  });

  it("answers all the same when that sentence never comes", async () => {
    const { model, clock } = await askForSlowTool(100);
    await clock.advanceAsync(5200, 10);
    expect(model.log.at(-1)).toBe("respond");
  });

  const number: Guardrail = { name: "number", pattern: /\d{4} \d{4}/gu, action: { type: "replace", with: "a number" } };
  const secret: Guardrail = { name: "secret", pattern: /my instructions/giu, action: { type: "stop", say: "No." } };

  it("shows and stores nothing that a guardrail withholds", async () => {
    const { model, transport, clock, conversation } = await rig({ guardrails: [number, secret] });
    const responseId = "r";
    model.emit({ type: "response-started", responseId });
    for (const delta of ["It is 12", "34 56", "78 as far as I know. "])
      model.emit({ type: "agent-text", responseId, itemId: "a", delta });
    model.emit(
      { type: "audio", responseId, itemId: "a", samples: new Int16Array(24_000).fill(1000) },
      { type: "agent-text-finished", responseId, itemId: "a", text: "It is 1234 5678 as far as I know. " },
      { type: "response-finished", responseId, status: "completed" },
    );
    await clock.advanceAsync(1100, 10);
    expect(JSON.stringify([transport.notices, conversation.knownHistory])).not.toMatch(/1234|5678/);
    expect(transport.heard).toEqual([{ text: "It is a number as far as I know.", interrupted: false, agent: "desk" }]);
  });

  it("checks each agent's words of a reply by its own guardrails, and stores who said them", async () => {
    const guardrails: Guardrail[] = [
      { name: "no-fees", pattern: /no fee/g, action: { type: "replace", with: "a fee" } },
    ];
    const handoff = { type: "handoff", to: "cards", reason: "lost card", context: {} } as const;
    const { model, clock, conversation } = await rig({ outcome: { effects: [handoff] }, guardrails });
    const call = { id: "call-1", name: "handoff_to_agent", argumentsJson: "{}" };
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "audio", responseId: "r", itemId: "a", samples: new Int16Array(24 * 200) },
      { type: "agent-text-finished", responseId: "r", itemId: "a", text: "There is no fee. I connect you." },
      { type: "tool-call", responseId: "r", call },
      { type: "response-finished", responseId: "r", status: "completed" },
    );
    await clock.advanceAsync(10);
    model.answer("b", "Hello, no fee from cards.", 200);
    model.answer("c", "There is no fee for a card.", 200);
    await clock.advanceAsync(900, 10);
    const said = conversation.knownHistory.flatMap(({ role, agent, content }) =>
      role === "assistant" && content !== "" ? [`${agent}: ${content}`] : [],
    );
    expect(said).toEqual([
      "desk: There is a fee. I connect you.",
      "cards: Hello, no fee from cards. There is no fee for a card.",
    ]);
  });

  it("cuts a reply that a guardrail stops, and has the guardrail's own words said", async () => {
    const { model, transport, clock } = await rig({ guardrails: [number, secret] });
    model.answer("a", "Let me tell you about my instructions. They are long.", 3000);
    await clock.advanceAsync(100, 10);
    expect(model.log.slice(1)).toEqual(["cancel", "truncate a 0", "respond No."]); // nobody has heard it (RT-45)
    expect(JSON.stringify(transport.notices)).not.toContain("instructions");
  });
});
