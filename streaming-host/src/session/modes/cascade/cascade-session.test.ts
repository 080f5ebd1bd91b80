import { notUnderstoodMessage } from "@voice/shared/conversation/not-understood";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it, vi } from "vitest";
import { greetingMs, startCascadeRig as rig } from "../../../testing/cascade-rig.ts";
import { testTurnSettings } from "../../../testing/cascade-parts.ts";
import { fakeAgent, fakeCatalog } from "../../../testing/fake-catalog.ts";

describe("voice session", () => {
  it("[HS-1] [HS-5] says who it is and greets", async () => {
    const { transport, listen } = await rig();
    await listen(greetingMs + 20);
    expect(transport.notices[0]).toMatchObject({
      type: "session",
      payload: { resumed: false, agent: "desk", sample_rate: 16_000 },
    });
    expect(transport.heard).toEqual([{ text: "Hello from desk.", interrupted: false, agent: "desk" }]);
  });

  it("[HIST-1] answers what was said, and stores each side when it is over", async () => {
    const { transport, recogniser, listen, state, conversation } = await rig({
      answers: ["Your balance is ten dollars."],
    });
    await listen(greetingMs + 100);
    await listen(1000, true);
    recogniser.last.final("what is my balance");
    await listen(600);
    const stored = async () => (await state.sessions.history(conversation.sessionId)).map(({ content }) => content);
    expect(await stored()).toEqual(["Hello from desk.", "what is my balance"]);
    await listen(2400);
    expect(transport.heard.at(-1)).toEqual({ text: "Your balance is ten dollars.", interrupted: false, agent: "desk" });
    await conversation.flush();
    const history = await state.sessions.history(conversation.sessionId);
    expect(history.map(({ role, content }) => [role, content])).toEqual([
      ["assistant", "Hello from desk."],
      ["user", "what is my balance"],
      ["assistant", "Your balance is ten dollars."],
    ]);
    const [metrics] = await state.sessions.metrics(conversation.sessionId);
    // 500 ms of silence, the fakes answer at once: that is all the caller waits.
    expect(metrics?.marks).toMatchObject({ end_of_turn_ms: 500, first_audio_ms: 500 });
  });

  it("[HIST-1] stores what the caller was saying when they hung up, after what they heard", async () => {
    const { recogniser, listen, session, state, conversation } = await rig();
    await listen(greetingMs - 200);
    await listen(200, true);
    recogniser.last.final("thank you");
    await listen(100, true);
    recogniser.last.partial("and please cancel my");
    await session.close("finished");
    const history = await state.sessions.history(conversation.sessionId);
    expect(history.map(({ role, content, interrupted }) => [role, content, interrupted])).toEqual([
      ["assistant", "Hello from", true],
      ["user", "thank you and please cancel my", true],
    ]);
  });

  it("[HIST-1] stores nothing of a caller who hung up without a word", async () => {
    const { listen, session, state, conversation } = await rig();
    await listen(greetingMs + 100);
    await listen(200, true);
    await session.close("finished");
    const history = await state.sessions.history(conversation.sessionId);
    expect(history.map(({ content }) => content)).toEqual(["Hello from desk."]);
  });

  it("[BARGE-1] [BARGE-5] [HIST-2] [HIST-4] [HIST-5] stops, sends nothing more, and remembers what was heard", async () => {
    const long = "One two three four five six seven eight nine ten.";
    const { transport, recogniser, listen, model, session } = await rig({ answers: [long, "Certainly."] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "count for me" });
    await listen(1000);
    await listen(200, true);
    recogniser.last.partial("please stop that");
    const stoppedAt = transport.stops.at(-1) ?? Number.NaN;
    await listen(400);
    expect(transport.frames.filter((atMs) => atMs > stoppedAt)).toEqual([]);
    const [, cut] = transport.heard;
    expect(cut?.interrupted).toBe(true);
    expect(long.startsWith(cut?.text ?? "-")).toBe(true);
    expect(cut?.text).toBe("One two three four");
    recogniser.last.final("please stop that");
    await listen(1500);
    const seen = model.requests[1]?.messages ?? [];
    const at = seen.findLastIndex(({ role }) => role === "assistant");
    expect(seen.slice(at)).toEqual([
      { role: "assistant", content: "One two three four" },
      { role: "system", content: "The caller interrupted the assistant here and heard only the words above." },
      { role: "user", content: "please stop that" },
    ]);
  });

  it.each([
    ["agent", fakeCatalog({ agents: [fakeAgent("desk", { voice: { name: "another voice" } })] }), "another voice"],
    ["scenario", { ...fakeCatalog(), renderPrompt: () => "Another prompt." }, undefined],
  ])("[LIVE-1] speaks as the %s says that has changed since the last reply", async (_what, changed, voice) => {
    const catalog = fakeCatalog();
    const { agent } = catalog;
    const { listen, session, conversation, synthesiser, model } = await rig({ catalog, answers: ["Certainly."] });
    await listen(greetingMs + 100);
    conversation.replaceCatalog(voice === undefined ? { ...changed, agent } : changed);
    session.handle({ type: "whole-turn", text: "hello" });
    await listen(1000);
    expect(synthesiser.requests.at(-1)).toMatchObject({ text: "Certainly.", voice: conversation.agent.voice });
    const prompt = { role: "system", content: changed.renderPrompt(conversation.agent, { memory: {} }) };
    expect(model.requests.at(-1)?.messages[0]).toEqual(prompt);
  });

  it("[BARGE-1] knows what the agent asks for before the caller interrupts", async () => {
    let asked = 0;
    const turnSettings: typeof testTurnSettings = (...args) => {
      asked++;
      return testTurnSettings(...args);
    };
    const { listen, recogniser, session } = await rig({
      answers: ["Certainly, you have ten dollars on your savings account. Would you like to go on?"],
      turnSettings,
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "hello" });
    await listen(400);
    const before = asked;
    recogniser.last.partial("please stop that");
    expect(asked).toBe(before);
  });

  it("[EFFECT-2b] does not do what the caller spoke over, and tells the model so", async () => {
    const { listen, model, session, effects } = await rig({
      answers: [
        { text: "Let me connect you to a person now.", calls: [{ name: "escalate_human" }] },
        "I am connecting you.",
        "Shall I still connect you?",
      ],
      tools: () => ({ effects: [{ type: "escalate", reason: "asked" }] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i want a person" });
    await listen(600);
    session.handle({ type: "whole-turn", text: "what about my card" });
    await listen(6000);
    expect(effects).toEqual([]);
    const result = model.requests.at(-1)?.messages.find(({ role }) => role === "tool");
    expect(result?.content).toContain("talked_over");
  });

  it("[EFFECT-2a] does it when its announcement was heard", async () => {
    const { listen, session, effects } = await rig({
      answers: [{ text: "Let me connect you.", calls: [{ name: "escalate_human" }] }, "I am connecting you."],
      tools: () => ({ effects: [{ type: "escalate", reason: "asked" }] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i want a person" });
    await listen(600);
    expect(effects).toEqual([]);
    await listen(6000);
    expect(effects).toEqual(["escalate"]);
  });

  it("[MODEL-2] answers what the content filter refused, and never shows it to the model again", async () => {
    const { transport, listen, model, session, state, conversation } = await rig({
      answers: [{ text: "", end: "content-filter" }, "Ten dollars."],
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "something bad" });
    await listen(9000);
    session.handle({ type: "whole-turn", text: "what is my balance" });
    await listen(3000);
    expect(transport.heard.map(({ text }) => text)).toEqual([
      "Hello from desk.",
      "I am sorry, I cannot talk about that. What else can I do for you?",
      "Ten dollars.",
    ]);
    expect(transport.notices).toContainEqual(
      expect.objectContaining({ payload: { name: "answer_cut", turn_id: "turn-2", cause: "content_filter" } }),
    );
    expect(transport.notices.filter(({ type }) => type === "error")).toEqual([]);
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("something bad");
    await conversation.flush();
    const stored = await state.sessions.history(conversation.sessionId);
    expect(stored.map(({ content }) => content)).toContain("something bad");
    expect(stored.find(({ cut }) => cut !== undefined)).toMatchObject({ role: "assistant", cut: "content_filter" });
  });

  it("[MODEL-1c] keeps and counts an answer that was cut at the token limit as what it is", async () => {
    const { transport, listen, session, state, conversation } = await rig({
      answers: [{ text: "Then you can.", end: "length" }],
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "how does it work" });
    await listen(6000);
    expect(transport.heard.at(-1)?.text).toBe("Then you can. That is not all of it. Shall I go on?");
    await conversation.flush();
    const stored = await state.sessions.history(conversation.sessionId);
    expect(stored.at(-1)).toMatchObject({ role: "assistant", cut: "length", interrupted: false });
    expect(transport.notices).toContainEqual(
      expect.objectContaining({ payload: { name: "answer_cut", turn_id: "turn-2", cause: "length" } }),
    );
  });

  it("[TURN-13g] [TURN-16a] [HIST-1] tells the agent that it did not understand, and puts no words into the caller's mouth", async () => {
    const { transport, recogniser, listen, model, conversation } = await rig({
      answers: ["Pardon?", "A person will help you.", "Your balance is ten dollars."],
    });
    await listen(greetingMs + 100);
    const guess = "block my card";
    for (const [text, perhaps] of [[""], ["", guess], ["what is my balance"]] as const) {
      await listen(900, true);
      await listen(500);
      recogniser.last.final(text, { guess: perhaps });
      await listen(3000);
    }
    expect(transport.heard.map(({ text }) => text).slice(1)).toEqual([
      "Pardon?",
      "A person will help you.",
      "Your balance is ten dollars.",
    ]);
    const unclear = { role: "user", content: notUnderstoodMessage(undefined), understood: false };
    const guessed = { ...unclear, content: notUnderstoodMessage(guess), guess };
    const pardon = { role: "assistant", content: "Pardon?" };
    expect(model.requests[1]?.messages.slice(-3)).toEqual([unclear, pardon, guessed]);
    expect(model.requests[2]?.messages).toContainEqual(guessed);
    const said = conversation.knownHistory.flatMap(({ role, content }) => (role === "user" ? [content] : []));
    expect(said).toEqual(["what is my balance"]);
    expect(transport.events("turn_metrics")).toHaveLength(3);
  });

  it("[TURN-14c] [TURN-14d] lets the recogniser expect a greeting first, then what the agent has asked for, and forget it afterwards", async () => {
    const [greeted, awaits] = [{ type: "greeting" }, { type: "digits", length: 4 }] as const;
    const { recogniser, listen, session } = await rig({ answers: [{ text: "Your code?", awaits }, "Thank you."] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "what is my balance" });
    await listen(2000);
    expect(recogniser.last).toMatchObject({ options: { hints: { awaits: greeted } }, hints: [{ awaits }] });
    session.handle({ type: "whole-turn", text: "one two three four" });
    await listen(2000);
    expect(recogniser.last.hints.map((hints) => hints.awaits)).toEqual([awaits, undefined]);
    expect(recogniser.last.hints.at(-1)?.examples).toContain("talk to desk");
  });

  it("makes the turn machine's settings once for each question, not at every event while digits are awaited", async () => {
    let made = 0;
    const { recogniser, listen, session } = await rig({
      answers: [{ text: "Your code?", awaits: { type: "digits", length: 4 } }],
      turnSettings: (...asked) => {
        made++;
        return testTurnSettings(...asked);
      },
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "what is my balance" });
    await listen(2000);
    const madeBefore = made;
    await listen(300, true);
    for (const text of ["one", "one two", "one two three"]) recogniser.last.partial(text);
    await listen(100);
    expect(made).toBe(madeBefore);
  });

  it("[HIST-3] stores nothing of a reply that nobody heard", async () => {
    const { session, listen, state, conversation, model } = await rig({ answers: [{ hangs: true }, "Good."] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "first" });
    await listen(500);
    session.handle({ type: "whole-turn", text: "second" });
    await listen(1000);
    await conversation.flush();
    const history = await state.sessions.history(conversation.sessionId);
    expect(history.map(({ content }) => content)).toEqual(["Hello from desk.", "first", "second", "Good."]);
    expect(model.aborts).toBeGreaterThan(0);
  });

  it("[FAIL-7a] runs a tool, hands over, greets with the new agent and listens for its words", async () => {
    const { transport, session, listen, recogniser, synthesiser, conversation, fallbacks } = await rig({
      answers: [{ text: "Let me connect you.", calls: [{ name: "handoff_to_agent" }] }, "What is the card number?"],
      tools: () => ({ effects: [{ type: "handoff", to: "cards", reason: "lost card", context: { topic: "card" } }] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i lost my card" });
    await listen(5000);
    expect(transport.heard.slice(-2)).toEqual([
      { text: "Let me connect you.", interrupted: false, agent: "desk" },
      { text: "Hello from cards. What is the card number?", interrupted: false, agent: "cards" },
    ]);
    expect(transport.notices.find(({ type }) => type === "handoff")?.payload).toEqual({
      from: "desk",
      to: "cards",
      type: "announced",
    });
    expect(recogniser.last.hints.at(-1)?.examples).toEqual(expect.arrayContaining(["talk to cards", "uh huh"]));
    expect(synthesiser.requests.map(({ voice }) => voice.name)).toEqual([
      "voice of desk",
      "voice of desk",
      "voice of cards",
      "voice of cards",
    ]);
    // The caller waits for the new agent's first words, so those are synthesised before its apologies.
    expect(fallbacks.at(-1)).toEqual({ agent: "cards", clausesBefore: synthesiser.requests.length });
    expect(conversation.agent.name).toBe("cards");
    expect(conversation.memory).toMatchObject({});
  });

  it("lets an agent that is told nothing remember what it was called for, and nothing before", async () => {
    const { session, listen, model } = await rig({
      catalog: fakeCatalog({ edge: { shareContext: false } }),
      answers: ["Ten dollars.", { calls: [{ name: "handoff_to_agent" }] }, "Which card?", "Blocked."],
      tools: () => ({ effects: [{ type: "handoff", to: "cards", reason: "lost card", context: {} }] }),
    });
    await listen(greetingMs + 100);
    for (const text of ["what is my balance", "i lost my card", "the blue one"]) {
      session.handle({ type: "whole-turn", text });
      await listen(3000);
    }
    const last = model.requests.at(-1)?.messages.filter(({ role }) => role !== "system");
    expect(last?.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: i lost my card",
      "assistant: Hello from cards. Which card?",
      "user: the blue one",
    ]);
    expect(model.requests.map(({ previousAgent }) => previousAgent)).toEqual([undefined, undefined, "desk", undefined]);
  });

  it("[TURN-10] runs no tool of a prepared answer before the turn has ended", async () => {
    const { recogniser, listen, transport, model } = await rig({
      answers: [{ text: "", calls: [{ name: "look_up" }] }, "Done."],
    });
    await listen(greetingMs + 100);
    await listen(1000, true);
    recogniser.last.partial("look it up");
    await listen(300);
    expect(model.requests).toHaveLength(1);
    expect(transport.notices.filter(({ type }) => type === "tool_call")).toEqual([]);
    recogniser.last.final("look it up");
    await listen(1000);
    expect(transport.notices.filter(({ type }) => type === "tool_call")).toHaveLength(2);
    expect(transport.heard.at(-1)?.text).toBe("Done.");
    expect(model.requests).toHaveLength(2);
  });

  it("[TURN-10] has the first sound of a prepared answer ready when the turn ends, and synthesises the rest only then", async () => {
    const { recogniser, synthesiser, listen, transport, state, conversation } = await rig({
      answers: ["It is ten dollars. Is there anything else that I can do?"],
    });
    synthesiser.delayMs = 200;
    await listen(greetingMs + 300);
    const before = synthesiser.requests.length;
    await listen(1000, true);
    recogniser.last.partial("what is my balance");
    await listen(400);
    expect(synthesiser.requests.slice(before).map(({ text }) => text)).toEqual(["It is ten dollars."]);
    expect(transport.notices.filter(({ type }) => type === "response")).toHaveLength(2); // those of the greeting
    expect(await state.sessions.history(conversation.sessionId)).toHaveLength(1);
    recogniser.last.final("what is my balance");
    await listen(6000);
    const [metrics] = await state.sessions.metrics(conversation.sessionId);
    const { end_of_turn_ms: endOfTurnMs, first_audio_ms: firstAudioMs, prepared_ms: preparedMs } = metrics?.marks ?? {};
    expect(firstAudioMs).toBe(endOfTurnMs);
    expect(preparedMs).toBeLessThan(endOfTurnMs ?? 0);
    expect(transport.heard.at(-1)?.text).toBe("It is ten dollars. Is there anything else that I can do?");
  });

  it("[TURN-10] sends the first sound of a prepared answer before it tells or keeps anything of the turn", async () => {
    const { recogniser, listen, transport, conversation, session } = await rig({ answers: ["It is ten dollars."] });
    await listen(greetingMs + 300);
    await listen(1000, true);
    recogniser.last.partial("what is my balance");
    await listen(300);
    session.handle({ type: "caller-finished" });
    const told = transport.notices.length;
    const atSounds: unknown[] = [];
    vi.spyOn(transport, "sendAudio").mockImplementation(() => {
      const words = transport.notices.slice(told).filter(({ type }) => type === "response");
      atSounds.push({ words, kept: conversation.modelHistory.length });
    });
    recogniser.last.final("what is my balance");
    expect(atSounds[0]).toEqual({ words: [], kept: 1 });
    expect(conversation.modelHistory.map(({ content }) => content)).toEqual(["Hello from desk.", "what is my balance"]);
    const words = transport.notices.slice(told).find(({ type }) => type === "response");
    expect(words).toMatchObject({ payload: { text: "It is ten dollars." } });
  });

  it("[TURN-10] throws what it has prepared away without a trace when the caller goes on", async () => {
    const { recogniser, synthesiser, listen, transport, state, conversation } = await rig({
      answers: ["Which one?", "Your savings have ten dollars."],
    });
    synthesiser.delayMs = 200;
    await listen(greetingMs + 300);
    await listen(1000, true);
    recogniser.last.partial("what is my balance");
    await listen(300);
    await listen(600, true);
    expect(synthesiser.aborted).toContain("Which one?");
    recogniser.last.final("what is my balance in savings");
    await listen(4000);
    expect(transport.heard.map(({ text }) => text)).toEqual(["Hello from desk.", "Your savings have ten dollars."]);
    const history = await state.sessions.history(conversation.sessionId);
    expect(history.map(({ content }) => content)).toEqual([
      "Hello from desk.",
      "what is my balance in savings",
      "Your savings have ten dollars.",
    ]);
    const [metrics] = await state.sessions.metrics(conversation.sessionId);
    expect(metrics?.marks).toMatchObject({ preparations_discarded: 1 });
  });

  it("[TURN-2d] says with each turn how sure it was of its end, and why", async () => {
    const { recogniser, listen, transport } = await rig({ answers: ["Ten dollars."] });
    await listen(greetingMs + 100);
    await listen(1000, true);
    recogniser.last.final("what is my balance");
    await listen(3000);
    expect(transport.events("turn_metrics").at(-1)).toMatchObject({
      payload: { metrics: { wait_ms: 500, end_of_turn_probability: 0.5 }, why: ["settled"] },
    });
  });

  it("[FILL-1a] [FILL-3] bridges a slow answer, and measures the answer and not the filler", async () => {
    const found = Promise.withResolvers<undefined>();
    const { transport, listen, session, state, conversation } = await rig({
      answers: [{ text: "Ten dollars.", after: found.promise }],
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "what is my balance" });
    await listen(5000);
    found.resolve(undefined);
    await listen(3000);
    expect(transport.heard.at(-1)?.text).toBe("One moment, please. Ten dollars.");
    const [metrics] = await state.sessions.metrics(conversation.sessionId);
    const { filler_ms: fillerMs, first_audio_ms: firstAudioMs } = metrics?.marks ?? {};
    expect(fillerMs).toBeGreaterThanOrEqual(2000);
    expect(fillerMs).toBeLessThan(2100);
    expect(firstAudioMs).toBeGreaterThan(4900);
    expect(firstAudioMs).toBeLessThan(5200);
  });

  it("[FILL-3] [FAIL-1] apologises after 10 s although a filler was heard", async () => {
    const { transport, listen, session } = await rig({ answers: [{ hangs: true }] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "what is my balance" });
    await listen(9900);
    expect(transport.heard.at(-1)?.text).toBe("Hello from desk.");
    await listen(6000);
    expect(transport.heard.map(({ text }) => text).slice(1)).toEqual([
      "One moment, please. I am still working on it.",
      expect.stringContaining("sorry"),
    ]);
  });

  it("[FAIL-2a] apologises when the model fails, and says so on the socket", async () => {
    const { session, listen, transport } = await rig({
      answers: [new VoiceError("upstream_unavailable", "secret words", { reason: "the endpoint answered 404" })],
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "hello" });
    await listen(5000);
    expect(transport.notices.find(({ type }) => type === "error")?.payload).toMatchObject({
      code: "upstream_unavailable",
      message: "The agent could not answer (the endpoint answered 404); it will say so.",
    });
    expect(transport.heard.at(-1)?.text).toContain("sorry");
  });

  it("[FAIL-4a] replays unfinalised audio into the next recogniser", async () => {
    const { recogniser, listen, transport, session } = await rig({ answers: ["Fine."] });
    await listen(greetingMs + 100);
    const first = recogniser.last;
    await listen(600, true);
    first.fail(new VoiceError("upstream_unavailable", "gone"));
    await listen(400, true);
    const second = recogniser.last;
    expect(second).not.toBe(first);
    expect(second.frames.length).toBeGreaterThanOrEqual((600 + 400) / 20);
    second.final("what is my balance");
    await listen(2000);
    expect(transport.heard.at(-1)?.text).toBe("Fine.");
    expect(session.status.hasBegun).toBe(true);
  });

  it("[FAIL-4c] says goodbye when no recogniser can be had", async () => {
    const { recogniser, listen, transport, session } = await rig();
    await listen(greetingMs + 100);
    const gone = () => new VoiceError("upstream_unavailable", "gone");
    recogniser.refusals.push(...Array.from({ length: 40 }, gone));
    recogniser.last.fail(gone());
    await listen(18_000);
    expect(transport.heard.at(-1)?.text).toBe("Goodbye.");
    expect(await session.ended).toBe("recogniser_lost");
  });

  it("[HS-4] goes on where the conversation stopped", async () => {
    const first = await rig({ answers: ["Ten dollars."], sessionId: "session-0123456789" });
    await first.listen(greetingMs + 100);
    first.session.handle({ type: "whole-turn", text: "what is my balance" });
    await first.listen(2000);
    await first.session.close("finished");
    const second = await rig({
      answers: ["As I said, ten dollars."],
      sessionId: "session-0123456789",
      state: first.state,
      clock: first.clock,
    });
    await second.listen(2000);
    expect(second.transport.notices[0]).toMatchObject({ type: "session", payload: { resumed: true } });
    expect(second.transport.heard[0]?.text).toBe("Welcome back to desk.");
    second.session.handle({ type: "whole-turn", text: "again please" });
    await second.listen(2000);
    expect(second.model.requests[0]?.messages.map(({ content }) => content)).toContain("what is my balance");
    expect(second.transport.heard).toHaveLength(2);
  });

  it("[DRAIN-2] releases everything when the socket closes", async () => {
    const { session, listen, recogniser, model, clock, transport } = await rig({ answers: [{ hangs: true }] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "hello" });
    await listen(100);
    await session.close("finished");
    expect(recogniser.last.isClosed).toBe(true);
    expect(model.aborts).toBe(1);
    expect(transport.closedWith).toBe("finished");
    await clock.advanceAsync(1000, 100);
    expect(clock.pendingTimers).toBe(0);
  });

  it("[FR-6] reports levels at most ten times a second", async () => {
    const { transport, listen } = await rig();
    await listen(1000);
    const levels = transport.notices.filter(({ type }) => type === "audio_levels");
    expect(levels.length).toBeGreaterThan(3);
    expect(levels.length).toBeLessThanOrEqual(10);
  });
});
