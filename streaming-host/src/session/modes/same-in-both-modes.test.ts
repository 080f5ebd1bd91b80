/**
 * Rules that hold in every mode, each with the same assertions in MEDIA and in VOICE_LIVE: a cascade of fakes, and a realtime service that
 * does what the vendors define, with the same model behind both.
 */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { bothModes, startInMode } from "../../testing/both-modes-rig.ts";
import type { BothModesOptions } from "../../testing/both-modes-rig.ts";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import type { HostEffect } from "../conversation/host-effects.ts";

const broken = new VoiceError("upstream_unavailable", "the endpoint answered 500");
const longAnswer = "The first is a long sentence about many things.";
const asksFor = (effect: HostEffect) => () => ({ effects: [effect] });
const hangUp = { type: "hang-up", reason: "done" } as const;
const transfer = { type: "transfer", target: "person", reason: "wanted" } as const;
const deskWith = (changes: Parameters<typeof fakeAgent>[1]) =>
  fakeCatalog({ agents: [fakeAgent("desk", changes), fakeAgent("cards")] });

describe.each(bothModes)("in %s", (mode) => {
  async function greeted(options: BothModesOptions = {}) {
    const rig = await startInMode(mode, options);
    await rig.passes(1000);
    return rig;
  }
  type Rig = Awaited<ReturnType<typeof greeted>>;
  /** Without the greeting and replies of which nothing was heard. */
  const said = (rig: Rig): readonly string[] =>
    rig
      .said()
      .slice(1)
      .filter((words) => !/^\w+:\s+(…)?$/.test(words));
  const codes = ({ transport }: Rig) =>
    transport.notices.flatMap((notice) => (notice.type === "error" ? [notice.payload.code] : []));
  const toolResult = ({ conversation }: Rig) =>
    withoutWithdrawn(conversation.knownHistory).find(({ role }) => role === "tool")?.content;

  describe("a conversation", () => {
    it("[HS-5] [HIST-1] begins with the greeting, and stores each side once it is over", async () => {
      const rig = await greeted({ answers: ["At nine."] });
      await rig.says("when are you open");
      await rig.passes(2000);
      expect(rig.said()).toEqual(["desk: Hello from desk.", "desk: At nine."]);
      expect(rig.conversation.knownHistory).toMatchObject([
        { role: "assistant", content: "Hello from desk.", turnId: "turn-1" },
        { role: "user", content: "when are you open", turnId: "turn-2" },
        { role: "assistant", content: "At nine.", turnId: "turn-2" },
      ]);
    });

    it("[HS-5] whose first agent has no greeting waits for the caller", async () => {
      const rig = await greeted({
        catalog: deskWith({ greeting: undefined, returnGreeting: undefined }),
        answers: ["At nine."],
      });
      await rig.passes(2000);
      expect(rig.said()).toEqual([]);
      await rig.says("when are you open");
      await rig.passes(1000);
      expect(rig.said()).toEqual(["desk: At nine."]);
    });

    it("[TURN-9a] takes keys that were pressed for a turn, which is shown and stored", async () => {
      const rig = await greeted({ answers: ["Thank you."] });
      rig.session.handle({ type: "whole-turn", text: "1234", keyed: true });
      await rig.passes(2000);
      expect(said(rig)).toEqual(["desk: Thank you."]);
      const shown = rig.transport.notices.filter(({ type }) => type === "transcript").map(({ payload }) => payload);
      expect(shown).toMatchObject([{ text: "1234", is_final: true, keyed: true }]);
      expect(rig.conversation.knownHistory.at(1)).toMatchObject({ role: "user", content: "1234" });
    });

    it("[LIVE-1] [LIVE-2] goes on with the changed agent between replies, and with the start agent of a scenario without it", async () => {
      let found: ReturnType<typeof deskWith> | undefined;
      const checkForChanges = async () => {
        const changed = found;
        found = undefined;
        return changed;
      };
      const rig = await greeted({ checkForChanges, answers: [longAnswer, "Yes."] });
      await rig.says("tell me", 400);
      found = fakeCatalog({ agents: [fakeAgent("cards", { prompt: "You are new." })] });
      found = { ...found, scenario: { ...found.scenario, startAgent: "cards" } };
      await rig.passes(4000);
      rig.session.handle({ type: "whole-turn", text: "and then" });
      await rig.passes(2000);
      expect(said(rig)).toEqual([`desk: ${longAnswer}`, "cards: Yes."]);
      expect(
        rig.transport.notices.filter(({ type }) => type === "handoff").map(({ payload }) => payload),
      ).toMatchObject([{ from: "desk", to: "cards" }]);
      expect(rig.model.requests.at(-1)?.messages[0]?.content).toContain("You are new.");
    });

    it("[HS-4] that is resumed goes on with its history and the return greeting", async () => {
      const first = await greeted({ sessionId: "session-0123456789", answers: ["At nine."] });
      await first.says("when are you open");
      await first.passes(2000);
      await first.session.close("finished");
      const { clock, state } = first;
      const rig = await greeted({ sessionId: "session-0123456789", clock, state, answers: ["At five."] });
      await rig.passes(1000);
      expect(rig.said()).toEqual(["desk: Welcome back to desk."]);
      await rig.says("and when do you close");
      const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
      expect(known).toEqual(expect.arrayContaining(["when are you open", "At nine.", "and when do you close"]));
    });

    it("[HS-4a] that is resumed within a minute answers what nobody has answered", async () => {
      const first = await greeted({ sessionId: "session-0123456789", answers: [{ hangs: true }] });
      await first.says("when are you open");
      await first.passes(500);
      await first.session.close("finished");
      const { clock, state } = first;
      const rig = await greeted({ sessionId: "session-0123456789", clock, state, answers: ["At nine.", "At five."] });
      await rig.passes(2000);
      expect(rig.said()).toEqual(["desk: At nine."]);
      await rig.session.close("finished");
      const later = await greeted({ sessionId: "session-0123456789", clock, state, answers: ["At five."] });
      await later.passes(2000);
      expect(later.said()).toEqual(["desk: Welcome back to desk."]);
    });

    it("[HS-4a] [REC-3a] that is resumed answers what nobody has answered once the announcement was heard", async () => {
      const first = await greeted({ sessionId: "session-0123456789", answers: [{ hangs: true }] });
      await first.says("when are you open");
      await first.passes(500);
      await first.session.close("finished");
      const { clock, state } = first;
      const announcement = "This is recorded.";
      const rig = await greeted({ sessionId: "session-0123456789", clock, state, announcement, answers: ["At nine."] });
      await rig.passes(3000);
      expect(rig.said().map((words) => words.split(": ").at(-1))).toEqual([announcement, "At nine."]);
    });

    it("[IDLE-1] [IDLE-2] reprompts a silent caller twice, says goodbye and ends", async () => {
      const rig = await greeted();
      await rig.passes(50_000);
      expect(said(rig)).toEqual([
        "desk: Are you still there?",
        "desk: I did not hear anything. How can I help you?",
        "desk: Goodbye.",
      ]);
      expect(rig.end()).toBe("caller_silent");
    });

    it("[CTRL-1] goes on after a pause where the caller stopped hearing it, and counts no idle time meanwhile", async () => {
      const rig = await greeted({ answers: [longAnswer] });
      await rig.says("tell me", 400);
      await rig.passes(400);
      rig.session.handle({ type: "paused", isPaused: true });
      await rig.passes(15_000);
      expect(said(rig)).toEqual([]);
      rig.session.handle({ type: "paused", isPaused: false });
      await rig.passes(4000);
      expect(said(rig)).toEqual([`desk: ${longAnswer}`]);
    });

    it("[END-4] [BARGE-9] ends with a goodbye that nobody cuts off", async () => {
      const rig = await greeted();
      rig.session.handle({ type: "farewell-requested", reason: "max_duration" });
      await rig.passes(100);
      await rig.says("no wait please", 400);
      await rig.passes(5000);
      expect(said(rig)).toEqual(["desk: Goodbye."]);
      expect(rig.end()).toBe("max_duration");
    });

    it("[OPS-3b] has an operator's line said, which the model knows", async () => {
      const rig = await greeted({ answers: ["Sure."] });
      rig.session.handle({ type: "line-given", text: "A colleague will call you." });
      await rig.passes(3000);
      await rig.says("thanks");
      await rig.passes(1000);
      expect(said(rig)).toEqual(["desk: A colleague will call you.", "desk: Sure."]);
      const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content);
      expect(known).toContain("A colleague will call you.");
    });

    it("[VM-2] is silent for a machine, and leaves its message to the end", async () => {
      const rig = await greeted({ answers: ["Who is there?"] });
      rig.session.handle({ type: "voicemail-answered" });
      await rig.says("please leave a message", 3000);
      await rig.passes(3000);
      rig.session.handle({ type: "last-words", text: "Call us back.", reason: "left" });
      await rig.passes(200);
      await rig.says("hm", 300);
      await rig.passes(3000);
      expect(said(rig)).toEqual(["desk: Call us back."]);
      expect(rig.end()).toBe("left");
    });
  });

  describe("an interruption", () => {
    it.each(["by speech", "by typing"])(
      "[BARGE-5] [HIST-2] [HIST-4] [TURN-8a] %s leaves in history and in the model what was heard",
      async (how) => {
        const rig = await greeted({ answers: [longAnswer, "Sure."] });
        await rig.says("tell me", 400);
        await rig.passes(400);
        if (how === "by speech") await rig.says("no the other one please", 1200);
        else rig.session.handle({ type: "whole-turn", text: "no the other one please" });
        await rig.passes(3000);
        const cut = rig.conversation.knownHistory.find(({ interrupted }) => interrupted)?.content ?? "";
        expect(longAnswer.startsWith(cut) && cut.startsWith("The first")).toBe(true);
        expect(said(rig)).toEqual([`desk: ${cut} …`, "desk: Sure."]);
        const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
        expect(known).toEqual(expect.arrayContaining(["tell me", cut, "no the other one please"]));
        expect(known).not.toContain(longAnswer);
      },
    );

    it("[RT-33] [HIST-5] is known from a message of its own to whoever goes on with the conversation", async () => {
      const sessionId = "session-0123456789";
      const first = await greeted({ sessionId, answers: [longAnswer, "Sure."] });
      await first.says("tell me", 400);
      await first.passes(400);
      first.session.handle({ type: "whole-turn", text: "or that" });
      await first.passes(2000);
      await first.session.close("finished");
      const cut = first.conversation.knownHistory.find(({ interrupted }) => interrupted)?.content;
      const { clock, state } = first;
      const rig = await greeted({ sessionId, clock, state, answers: ["Yes."] });
      await rig.passes(1000);
      await rig.says("are you there");
      const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
      const at = known.findIndex((words) => words === cut);
      expect(known.slice(at, at + 3)).toEqual([
        cut,
        expect.stringContaining("interrupted the assistant here"),
        "or that",
      ]);
      expect(known.filter((words) => words.includes("interrupted"))).toHaveLength(1);
    });

    it("[HIST-3] of an answer that nobody has heard leaves none of its words", async () => {
      const rig = await greeted({ answers: [{ hangs: true }, "Sure."] });
      await rig.says("tell me", 400);
      await rig.passes(1000);
      rig.session.handle({ type: "whole-turn", text: "or that" });
      await rig.passes(3000);
      const words = rig.conversation.knownHistory.slice(1).map(({ role, content }) => `${role}: ${content}`);
      expect(words).toEqual(["user: tell me", "user: or that", "assistant: Sure."]);
    });

    it.each([transfer, hangUp, { type: "hold", seconds: 60 }] as const)(
      "[EFFECT-2b] [EFFECT-17a] over the announcement calls a $type off, which history and model say",
      async (effect) => {
        const rig = await greeted({
          answers: [
            { text: "One moment.", calls: [{ name: "act" }] },
            "I am doing that for you now, as you said.",
            "Sure.",
            "Yes.",
          ],
          tools: asksFor(effect),
        });
        await rig.says("do it", 400);
        await rig.passes(900);
        await rig.says("no wait please do not", 1000);
        await rig.passes(4000);
        expect(said(rig).at(-1)).toBe("desk: Sure.");
        expect([rig.effects, rig.end()]).toEqual([[], undefined]);
        expect(toolResult(rig)).toContain("talked_over");
        await rig.says("are you there");
        const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
        expect(known.some((words) => words.includes("this was not done"))).toBe(true);
      },
    );
  });

  describe("an answer that fails", () => {
    it("[FAIL-1] is given up after 10 s without a sound, and apologised for; the conversation goes on", async () => {
      const rig = await greeted({ answers: [{ hangs: true }, "Yes."] });
      await rig.says("tell me");
      await rig.passes(16_000);
      expect(said(rig)).toEqual(["desk: I am sorry, something went wrong on my side. Could you say that again?"]);
      expect(codes(rig)).toHaveLength(1);
      await rig.says("again");
      await rig.passes(1000);
      expect(said(rig).at(-1)).toBe("desk: Yes.");
    });

    it("[MODEL-15] [FAIL-2a] [TOOL-12] is heard as far as it was written, before the words about its failure", async () => {
      const rig = await greeted({
        answers: [{ text: "I will look that up.", calls: [{ name: "look_up" }] }, broken],
      });
      await rig.says("tell me");
      await rig.passes(8000);
      expect(said(rig)).toEqual([
        "desk: I will look that up. …",
        "desk: Thank you for waiting. Could you say once more what you need?",
      ]);
      const kept = rig.conversation.knownHistory.find(({ content }) => content === "I will look that up.");
      expect(kept).toMatchObject({ interrupted: true, brokenOff: true });
      expect(codes(rig)).toEqual(["upstream_unavailable"]);
    });

    it("[MODEL-15] is answered in place of the failure where the caller speaks over its words", async () => {
      const rig = await greeted({
        answers: [{ text: longAnswer, calls: [{ name: "look_up" }] }, broken, "Sure."],
      });
      await rig.says("tell me", 400);
      await rig.passes(400);
      await rig.says("no the other one please", 1200);
      await rig.passes(4000);
      expect(said(rig).slice(1)).toEqual(["desk: Sure."]);
      expect(codes(rig)).toEqual([]);
    });

    it("[END-3] [FAIL-2b] is followed by the goodbye where it was to hang up", async () => {
      const rig = await greeted({ answers: [{ calls: [{ name: "end_call" }] }, broken], tools: asksFor(hangUp) });
      await rig.says("bye");
      await rig.passes(6000);
      expect(said(rig)).toEqual(["desk: Goodbye."]);
      expect(rig.end()).toBe("done");
    });

    it("[EFFECT-2d] transfers nobody whose transfer it did not announce", async () => {
      const rig = await greeted({ answers: [{ calls: [{ name: "act" }] }, broken], tools: asksFor(transfer) });
      await rig.says("a person");
      await rig.passes(6000);
      expect(rig.effects).toEqual([]);
      expect(toolResult(rig)).toContain("broke_off");
    });
  });

  describe("an answer without words", () => {
    it("[MODEL-14] is asked for once more before anything is said about it", async () => {
      const rig = await greeted({ answers: [{ calls: [{ name: "look_up" }] }, "", "Ten dollars."] });
      await rig.says("my balance");
      await rig.passes(3000);
      expect(said(rig)).toEqual(["desk: Ten dollars."]);
      expect(codes(rig)).toEqual([]);
    });

    it.each(["", "I will look that up."])(
      "[MODEL-14] after a tool that has succeeded, and after the words '%s', ends with what else there is to do",
      async (text) => {
        const rig = await greeted({ answers: [{ text, calls: [{ name: "look_up" }] }, "", ""] });
        await rig.says("my balance");
        await rig.passes(6000);
        const words = [text, "All right. What else can I do for you?"].filter((part) => part !== "").join(" ");
        expect(said(rig)).toEqual([`desk: ${words}`]);
        expect(codes(rig)).toEqual([]);
      },
    );
  });

  describe("an answer that is not complete", () => {
    it.each([
      ["length", "It is long. That is not all of it. Shall I go on?", "length"],
      [
        "content-filter",
        "It is long. I am sorry, I cannot say more about that. What else can I do for you?",
        "content_filter",
      ],
    ] as const)("[MODEL-1a] [MODEL-1c] is marked and explained where it was cut by %s", async (end, words, cut) => {
      const rig = await greeted({ answers: [{ text: "It is long.", end }] });
      await rig.says("tell me");
      await rig.passes(6000);
      expect(said(rig)).toEqual([`desk: ${words}`]);
      expect(rig.conversation.knownHistory.at(-1)).toMatchObject({ content: words, cut });
      expect(rig.transport.events("answer_cut")).toHaveLength(1);
    });

    it("[MODEL-2] because the filter refuses the caller's words takes these from what the model is shown", async () => {
      const rig = await greeted({ answers: [{ text: "", end: "content-filter" }, "Yes."] });
      await rig.says("something bad");
      await rig.passes(6000);
      await rig.says("again");
      await rig.passes(1000);
      expect(said(rig)).toEqual([
        "desk: I am sorry, I cannot talk about that. What else can I do for you?",
        "desk: Yes.",
      ]);
      expect(codes(rig)).toEqual([]);
      const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
      expect(known).not.toContain("something bad");
    });
  });

  describe("a tool", () => {
    it("[TOOL-13] that takes its time is shown as thinking, and what it gave is said", async () => {
      const rig = await greeted({
        answers: [{ text: "I am looking.", calls: [{ name: "look_up" }] }, "Ten dollars."],
        toolMs: 4000,
      });
      await rig.says("my balance");
      await rig.passes(7000);
      expect(said(rig)).toEqual(["desk: I am looking. Ten dollars."]);
      const states = rig.transport
        .events("state_change")
        .flatMap(({ payload }) => ("state" in payload ? [payload.state] : []));
      expect(states.slice(-5)).toEqual(["thinking", "speaking", "thinking", "speaking", "listening"]);
    });

    it("[FAIL-3] [FILL-1a] [FILL-1b] that takes longer than silence would be borne is bridged with the agent's own phrases, each in its turn", async () => {
      const rig = await greeted({
        catalog: deskWith({
          speech: { candidateLanguages: [], phrases: [], fillers: ["Bear with me.", "Nearly there."] },
        }),
        answers: [{ text: "I am looking.", calls: [{ name: "look_up" }] }, "Ten dollars."],
        toolMs: 14_000,
      });
      await rig.says("my balance");
      await rig.passes(20_000);
      expect(said(rig)).toEqual(["desk: I am looking. Bear with me. Nearly there. Ten dollars."]);
      expect(codes(rig)).toEqual([]);
    });

    it("[TOOL-3a] that goes on while the caller speaks is known to the answer, and is not run again", async () => {
      const rig = await greeted({
        answers: [{ text: "I will pay that.", calls: [{ name: "pay" }] }, "It is paid, and I am here."],
        toolMs: 4000,
      });
      await rig.says("pay the bill");
      await rig.passes(1500);
      await rig.says("are you there");
      await rig.passes(6000);
      expect(said(rig).at(-1)).toBe("desk: It is paid, and I am here.");
      const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
      expect(known).toEqual(expect.arrayContaining(["are you there", '{"success":true}']));
      expect(rig.model.requests).toHaveLength(2);
    });

    it("[TOOL-11] may not be called for ever: the model is asked for words, which an event reports", async () => {
      const rig = await greeted({
        catalog: deskWith({ model: { ...fakeAgent("desk").model, maxToolRounds: 2 } }),
        answers: [{ calls: [{ name: "a" }] }, { calls: [{ name: "b" }] }, "That is all."],
      });
      await rig.says("tell me");
      await rig.passes(3000);
      expect(said(rig)).toEqual(["desk: That is all."]);
      expect(rig.transport.events("tool_rounds_spent")).toHaveLength(1);
      expect(rig.model.requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined, "none"]);
    });

    it("[RT-31] changes what the prompt says of what is remembered, from the next answer on", async () => {
      const catalog = fakeCatalog();
      const rig = await greeted({
        catalog: {
          ...catalog,
          renderPrompt: (agent, { memory }) => `${agent.prompt} Known: ${JSON.stringify(memory)}.`,
        },
        answers: [{ calls: [{ name: "verify" }] }, "Hello Bob."],
        tools: () => ({ memory: { name: "Bob" } }),
      });
      await rig.says("i am bob");
      await rig.passes(2000);
      const prompts = rig.model.requests.map(({ messages }) => messages[0]?.content ?? "");
      expect(prompts.map((prompt) => prompt.includes("Bob"))).toEqual([false, true]);
    });
  });

  describe("an effect", () => {
    it("[EFFECT-2a] [EFFECT-4] of a tool happens once its announcement was heard, and a failure of it is said", async () => {
      const rig = await greeted({
        answers: [{ text: "One moment.", calls: [{ name: "act" }] }, "I am connecting you."],
        tools: asksFor(transfer),
        onEffect: async () => ({ ok: false, reason: "busy" }),
      });
      await rig.says("a person");
      await rig.passes(600);
      expect(rig.effects).toEqual([]);
      await rig.passes(6000);
      expect(rig.effects).toMatchObject([transfer]);
      expect(said(rig)).toEqual([
        "desk: One moment. I am connecting you.",
        "desk: I am sorry, I could not get through. Is there something else I can do for you?",
      ]);
    });

    it("[EFFECT-7b] [EFFECT-7f] that holds the caller is silent meanwhile, and says that they are back", async () => {
      const over = Promise.withResolvers<{ readonly ok: true }>();
      const rig = await greeted({
        answers: [{ calls: [{ name: "act" }] }, "I put you on hold."],
        tools: asksFor({ type: "hold", seconds: 60 }),
        onEffect: () => over.promise,
      });
      await rig.says("hold please");
      await rig.passes(30_000);
      expect(said(rig)).toEqual(["desk: I put you on hold."]);
      over.resolve({ ok: true });
      await rig.passes(3000);
      expect(said(rig).at(-1)).toBe("desk: Thank you for holding. How can I help you now?");
    });

    it("[END-3] that hangs up ends the conversation when the last word was heard", async () => {
      const rig = await greeted({
        answers: [{ text: "Goodbye then.", calls: [{ name: "end_call" }] }, "Have a nice day."],
        tools: asksFor(hangUp),
      });
      await rig.says("bye");
      await rig.passes(700);
      expect(rig.end()).toBeUndefined();
      await rig.passes(3000);
      expect(said(rig)).toEqual(["desk: Goodbye then. Have a nice day."]);
      expect(rig.end()).toBe("done");
    });
  });
});
