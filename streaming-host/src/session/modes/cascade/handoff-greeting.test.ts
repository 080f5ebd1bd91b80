import { describe, expect, it } from "vitest";
import { greetingMs, startCascadeRig as rig } from "../../../testing/cascade-rig.ts";
import { fakeAgent, fakeCatalog } from "../../../testing/fake-catalog.ts";

describe("an agent that takes over", () => {
  it.each(["no", "i do not want that", "the blue one"])(
    "[EFFECT-19b] [EFFECT-19c] has not taken over where the caller spoke over the announcement (%s), and the model knows that",
    async (words) => {
      const { transport, session, listen, model, conversation } = await rig({
        catalog: fakeCatalog({ edge: { shareContext: false } }),
        answers: [
          { text: "Let me connect you to our card team.", calls: [{ name: "handoff_to_agent" }] },
          "What is the card number?",
          "What else can I do?",
        ],
        tools: () => ({ effects: [{ type: "handoff", to: "cards", reason: "lost card", context: {} }] }),
      });
      await listen(greetingMs + 100);
      session.handle({ type: "whole-turn", text: "i lost my card" });
      await listen(400);
      session.handle({ type: "whole-turn", text: words });
      await listen(5000);
      expect(transport.heard.slice(-2)).toEqual([
        { text: "Let me", interrupted: true, agent: "desk" },
        { text: "What else can I do?", interrupted: false, agent: "desk" },
      ]);
      expect(conversation.agent.name).toBe("desk");
      expect(conversation.record).toMatchObject({ activeAgent: "desk", visitedAgents: ["desk"] });
      const messages = model.requests.at(-1)?.messages ?? [];
      expect(messages.map(({ content }) => content)).toContain("i lost my card");
      expect(messages.find(({ role }) => role === "tool")?.content).toContain("talked_over");
      expect(transport.notices.filter(({ type }) => type === "handoff").map(({ payload }) => payload)).toMatchObject([
        { from: "desk", to: "cards" },
        { from: "cards", to: "desk" },
      ]);
    },
  );

  it("[EFFECT-19a] has taken over once the caller has heard it", async () => {
    const { session, listen, conversation } = await rig({
      answers: [{ text: "One moment.", calls: [{ name: "handoff_to_agent" }] }, "What is the number?", "Well then."],
      tools: () => ({ effects: [{ type: "handoff", to: "cards", reason: "lost card", context: {} }] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i lost my card" });
    await listen(2200);
    session.handle({ type: "whole-turn", text: "no" });
    await listen(3000);
    expect(conversation.agent.name).toBe("cards");
  });

  it("[BARGE-12] says no greeting twice, and none for an agent that takes over silently", async () => {
    for (const type of ["announced", "discrete"] as const) {
      const { transport, session, listen } = await rig({
        catalog: fakeCatalog({ edge: { type } }),
        answers: [
          { text: "One moment.", calls: [{ name: "handoff_to_agent" }] },
          "What is the number of the card that you have lost?",
          "The blue one, then.",
        ],
        tools: () => ({ effects: [{ type: "handoff", to: "cards", reason: "lost card", context: {} }] }),
      });
      await listen(greetingMs + 100);
      session.handle({ type: "whole-turn", text: "i lost my card" });
      await listen(type === "announced" ? 2200 : 400);
      session.handle({ type: "whole-turn", text: "the blue one" });
      await listen(3000);
      expect(transport.heard.at(-1)?.text).toBe("The blue one, then.");
    }
  });

  it("[BARGE-12] [LIVE-2] has its greeting said by nobody else when a new scenario has no such agent", async () => {
    const { transport, session, recogniser, listen, conversation } = await rig({
      answers: [
        { text: "Let me connect you.", calls: [{ name: "handoff_to_agent" }] },
        "Which card?",
        "The blue one, then.",
      ],
      tools: () => ({ effects: [{ type: "handoff", to: "cards", reason: "lost card", context: {} }] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i lost my card" });
    await listen(400);
    await listen(200, true);
    recogniser.last.final("the blue one");
    conversation.replaceCatalog(fakeCatalog({ agents: [fakeAgent("desk")] }));
    await listen(3000);
    expect(transport.heard.at(-1)).toEqual({ text: "The blue one, then.", interrupted: false, agent: "desk" });
  });

  it.each([
    { type: "handoff", to: "cards", reason: "lost card", context: {} },
    { type: "transfer", target: "person", reason: "wanted" },
  ] as const)(
    "[EFFECT-2c] does no $type that a caller spoke over while the tool ran, and tells the model so",
    async (effect) => {
      const { session, listen, model, conversation, effects } = await rig({
        answers: [{ calls: [{ name: "ask" }] }, "Ten dollars.", "Shall I do it now?"],
        tools: () => ({ effects: [effect] }),
        toolMs: 1000,
      });
      await listen(greetingMs + 100);
      session.handle({ type: "whole-turn", text: "i lost my card" });
      await listen(500);
      session.handle({ type: "whole-turn", text: "what about my balance" });
      await listen(3000);
      session.handle({ type: "whole-turn", text: "good" });
      await listen(3000);
      expect([conversation.agent.name, effects]).toEqual(["desk", []]);
      const results = model.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
      expect(results).toMatchObject([{ content: expect.stringContaining("talked_over") }]);
    },
  );

  it("[FAIL-1] [EFFECT-2d] does nothing that its tools ask for after it has apologised, and tells the model so", async () => {
    const { session, listen, model, conversation, effects } = await rig({
      answers: [{ calls: [{ name: "ask" }] }, "Shall I do it now?"],
      tools: () => ({ effects: [{ type: "transfer", target: "person", reason: "wanted" }] }),
      toolMs: 30_000,
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i want a person" });
    await listen(34_000);
    session.handle({ type: "whole-turn", text: "hello" });
    await listen(3000);
    expect([conversation.agent.name, effects]).toEqual(["desk", []]);
    const results = model.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
    expect(results).toMatchObject([{ content: expect.stringContaining("broke_off") }]);
  });
});
