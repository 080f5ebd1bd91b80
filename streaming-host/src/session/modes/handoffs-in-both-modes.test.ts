/** Handoffs, with the same assertions in MEDIA and in VOICE_LIVE: the realtime service does what it is asked, and its model obeys no instruction word by word. */
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { bothModes, startInMode } from "../../testing/both-modes-rig.ts";
import type { BothModesOptions } from "../../testing/both-modes-rig.ts";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";

const to = (name: string) => ({ calls: [{ name: `to_${name}` }] });
const hands = ({ name }: { name: string }): Partial<ToolCallResult> =>
  name.startsWith("to_") ? { effects: [{ type: "handoff", to: name.slice(3), reason: "lost card", context: {} }] } : {};

describe.each(bothModes)("an announced handoff in %s", (mode) => {
  async function greeted(options: BothModesOptions) {
    const rig = await startInMode(mode, { tools: hands, ...options });
    await rig.passes(1000);
    expect(rig.said()).toEqual(["desk: Hello from desk."]);
    return rig;
  }
  const handoffsOf = ({ transport }: Awaited<ReturnType<typeof greeted>>) =>
    transport.notices.flatMap(({ type, payload }) => (type === "handoff" ? [payload] : []));

  it("[RT-30] has the next agent's greeting said before its answer, shown, and stored as that agent's words", async () => {
    const rig = await greeted({
      answers: [{ text: "One moment.", ...to("cards") }, "Which card is it?", "I see."],
    });
    await rig.says("i lost my card");
    await rig.passes(4000);
    expect(rig.said().slice(1)).toEqual(["desk: One moment.", "cards: Hello from cards. Which card is it?"]);
    const shown = rig.transport.notices.flatMap((notice) =>
      notice.type === "response" && !notice.payload.is_final && notice.payload.agent === "cards"
        ? [notice.payload.text]
        : [],
    );
    expect(shown.join(" ")).toMatch(/^Hello from cards\..*Which card is it\?$/);
    const stored = rig.conversation.knownHistory.filter(({ content }) => content.includes("Hello from cards."));
    expect(stored).toMatchObject([{ role: "assistant", agent: "cards", interrupted: false }]);
    await rig.says("the blue one");
    const known = rig.model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
    expect(known.filter((words) => words.includes("Hello from cards."))).toHaveLength(1);
  });

  it("[RT-30] is answered with the greeting alone where the next agent has nothing to add", async () => {
    const rig = await greeted({ answers: [to("cards"), ""] });
    await rig.says("i lost my card");
    await rig.passes(3000);
    expect(rig.said().slice(1)).toEqual(["cards: Hello from cards."]);
    expect(rig.transport.notices.filter(({ type }) => type === "error")).toEqual([]);
  });

  it("[RT-30] lets every agent of two handoffs in a row greet", async () => {
    const catalog = fakeCatalog({ agents: [fakeAgent("desk"), fakeAgent("cards"), fakeAgent("fraud")] });
    const rig = await greeted({ catalog, answers: [to("cards"), to("fraud"), "Which card is it?"] });
    await rig.says("somebody used my card");
    await rig.passes(5000);
    expect(rig.said().slice(1)).toEqual(["cards: Hello from cards.", "fraud: Hello from fraud. Which card is it?"]);
    expect(rig.conversation.agent.name).toBe("fraud");
  });

  it("[RT-30] has the agent to whom the caller comes back say its return greeting", async () => {
    const rig = await greeted({ answers: [to("cards"), "Which card is it?", to("desk"), "What else?"] });
    await rig.says("i lost my card");
    await rig.passes(3000);
    await rig.says("back please");
    await rig.passes(4000);
    expect(rig.said().slice(1)).toEqual([
      "cards: Hello from cards. Which card is it?",
      "desk: Welcome back to desk. What else?",
    ]);
  });

  it("[RT-31] has the prompt of the next agent say who handed over, and why", async () => {
    const catalog = fakeCatalog();
    const rig = await greeted({
      catalog: {
        ...catalog,
        renderPrompt: (agent, { previousAgent = "nobody", handoffReason = "nothing" }) =>
          `${agent.prompt} From ${previousAgent} for ${handoffReason}.`,
      },
      answers: [to("cards"), "Which card is it?"],
    });
    await rig.says("i lost my card");
    await rig.passes(3000);
    expect(rig.model.requests.map(({ messages }) => messages[0]?.content)).toEqual([
      "You are desk. From nobody for nothing.",
      expect.stringMatching(/^You are cards\. From desk for lost card\./),
    ]);
  });

  it("[RT-30] says no greeting for an agent that takes over discreetly", async () => {
    const rig = await greeted({
      catalog: fakeCatalog({ edge: { type: "discrete" } }),
      answers: [to("cards"), "Which card is it?"],
    });
    await rig.says("i lost my card");
    await rig.passes(3000);
    expect(rig.said().slice(1)).toEqual(["cards: Which card is it?"]);
  });

  describe("with whom the context is not shared", () => {
    const catalog = fakeCatalog({ edge: { shareContext: false } });
    const known = ({ model }: Awaited<ReturnType<typeof greeted>>) =>
      model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];

    it("[RT-32] knows the caller's last words and nothing that was said before them", async () => {
      const rig = await greeted({
        catalog,
        answers: ["Hello Bob.", { text: "One moment.", ...to("cards") }, "Which card is it?", "I see."],
      });
      await rig.says("my name is bob");
      await rig.passes(2000);
      await rig.says("i lost my card");
      await rig.passes(5000);
      expect(rig.said().slice(2)).toEqual(["desk: One moment.", "cards: Hello from cards. Which card is it?"]);
      expect(known(rig)).toEqual(expect.arrayContaining(["i lost my card", "Hello from cards."]));
      expect(known(rig)).not.toContain("my name is bob");
      await rig.says("the blue one");
      await rig.passes(1000);
      expect(rig.said().at(-1)).toBe("cards: I see.");
      expect(known(rig).filter((words) => /bob|Hello from desk/i.test(words))).toEqual([]);
    });

    it.each(["types", "says"])(
      "[RT-32] [EFFECT-19b] [EFFECT-19c] leaves all that was said to the agent with whom a caller stays who %s so",
      async (how) => {
        const rig = await greeted({
          catalog,
          answers: [
            "Hello Bob.",
            { text: "Let me connect you to our card team.", ...to("cards") },
            "Which?",
            "Sure.",
            "Yes.",
          ],
        });
        await rig.says("my name is bob");
        await rig.passes(2000);
        await rig.says("i lost my card", 400);
        await rig.passes(400);
        const words = "no please do not do that";
        if (how === "types") rig.session.handle({ type: "whole-turn", text: words });
        else await rig.says(words, 1000);
        await rig.passes(5000);
        expect(rig.said().at(-1)).toBe("desk: Sure.");
        await rig.says("are you there");
        expect(rig.conversation.agent.name).toBe("desk");
        expect(known(rig)).toEqual(expect.arrayContaining(["my name is bob", "Hello Bob.", words]));
      },
    );
  });

  it("[EFFECT-19b] stays with the agent whose announcement the caller spoke over", async () => {
    const rig = await greeted({
      answers: [
        { text: "Let me connect you to our card team.", ...to("cards") },
        "Which card is it?",
        "What else can I do?",
      ],
    });
    await rig.says("i lost my card", 400);
    await rig.passes(400);
    await rig.says("no please do not do that", 1000);
    await rig.passes(5000);
    expect(rig.said().at(-1)).toBe("desk: What else can I do?");
    expect(rig.conversation.agent.name).toBe("desk");
    expect(handoffsOf(rig)).toMatchObject([
      { from: "desk", to: "cards" },
      { from: "cards", to: "desk" },
    ]);
  });

  it("[EFFECT-19a] counts, and the greeting is not said again, where the next agent's answer fails", async () => {
    const rig = await greeted({
      answers: [to("cards"), new VoiceError("upstream_unavailable", "broken"), "Which card is it?"],
    });
    await rig.says("i lost my card");
    await rig.passes(6000);
    expect(rig.said().slice(1)).toEqual([
      "cards: Hello from cards. …",
      "cards: Thank you for waiting. Could you say once more what you need?",
    ]);
    await rig.says("my card");
    await rig.passes(1000);
    expect(rig.said().at(-1)).toBe("cards: Which card is it?");
  });

  it("[EFFECT-19a] [BARGE-12] is over once the greeting has been heard in part, and the greeting is not said again", async () => {
    const rig = await greeted({
      answers: [to("cards"), "Which card is it that you have lost?", "The blue one, then."],
    });
    await rig.says("i lost my card", 400);
    await rig.passes(400);
    await rig.says("the blue one of my two cards", 1000);
    await rig.passes(4000);
    expect(rig.conversation.agent.name).toBe("cards");
    expect(rig.said().at(-1)).toBe("cards: The blue one, then.");
    expect(rig.said().slice(1, -1)).toEqual([expect.stringMatching(/^cards: Hello from?.* …$/)]);
  });
});

describe("an announced handoff in VOICE_LIVE whose connection is lost", () => {
  const gone = new VoiceError("upstream_unavailable", "gone");

  it.each([
    ["before the greeting was heard", 120, ["cards: Hello from cards. Which card is it?"]],
    [
      "when it was heard in part, and its answer had not come",
      800,
      [expect.stringMatching(/^cards: Hello.* …$/), "cards: Which card is it?"],
    ],
  ])("[RT-30] [FAIL-4j] [BARGE-12] has the caller greeted once, also %s", async (_when, lostMs, heard) => {
    const rig = await startInMode("VOICE_LIVE", {
      tools: hands,
      answers: [to("cards"), ...(lostMs < 500 ? [] : [{ hangs: true } as const]), "Which card is it?"],
    });
    await rig.passes(1000);
    rig.session.handle({ type: "whole-turn", text: "i lost my card" });
    await rig.passes(lostMs);
    rig.realtime.end(gone);
    await rig.passes(8000);
    expect(
      rig
        .said()
        .slice(1)
        .filter((words) => !/^\w+:\s+…$/.test(words)),
    ).toEqual(heard);
  });
});
