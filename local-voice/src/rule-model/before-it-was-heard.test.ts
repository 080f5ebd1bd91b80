/** What the caller says before they have heard anything of an answer, or of the agent who was to give it. */
import { describe, expect, it } from "vitest";
import type { AgentRules } from "../rules/rules.ts";
import { intent } from "./fake-intent.ts";
import { agent, ran, talkTo, user } from "./rule-conversation.ts";

const kinds = { credit: ["credit"], debit: ["debit"] };
const rules: AgentRules = {
  fallback: "Pardon?",
  arrival: "How can I help?",
  escalation: { type: "say", say: "A person will help." },
  intents: [
    intent("balance", {
      examples: ["check my {account} account", "what about {account}"],
      slots: [{ name: "account", type: "choice", options: { savings: ["savings"], checking: ["checking"] } }],
      action: { type: "call", tool: "get_balance", args: { account: "{{ slots.account }}" } },
      after: { success: { say: "You have {{ result.balance | money }}. Is there anything else?" } },
    }),
    intent("block", {
      examples: ["block my {card} card"],
      slots: [{ name: "card", type: "choice", options: kinds, ask: "Which card?" }],
      confirm: "Block the {{ slots.card }} card?",
      action: { type: "call", tool: "block", args: { card: "{{ slots.card }}" } },
      after: { success: { say: "It is blocked. A new one?", offer: "order" } },
    }),
    intent("order", { examples: ["send me a new card"], action: { type: "call", tool: "order", args: {} } }),
    intent("hours", { examples: ["when are you open"], action: { type: "say", say: "Always." } }),
    intent("repeat", { examples: ["say that again"], action: { type: "repeat" } }),
  ],
};

const { answer } = talkTo(rules, { agentName: "cards", tools: ["get_balance", "block", "order"] });

describe("words before anything of the answer was heard", () => {
  const looked = [user("check my savings account"), ...ran("get_balance", { balance: 5 })];

  it("that are another wish have both answered", async () => {
    expect(await answer(...looked, user("block my debit card"))).toBe("You have five dollars. Block the debit card?");
    expect(await answer(...looked, agent("You"), user("block my debit card"))).toBe(
      "You have five dollars. Block the debit card?",
    );
  });

  it("that correct the first wish, or were heard over its answer, have theirs alone", async () => {
    expect(await answer(...looked, user("no i said checking"))).toBe('[get_balance {"account":"checking"}]');
    expect(await answer(...looked, user("what about checking"))).toBe('[get_balance {"account":"checking"}]');
    const cut = agent("You have five dollars. Is there");
    expect(await answer(...looked, cut, user("block my debit card"))).toBe("Block the debit card?");
  });

  it("cannot say yes to what it offers", async () => {
    const blocked = [user("block my debit card"), agent("Block the debit card?"), user("yes"), ...ran("block")];
    expect(await answer(...blocked, user("yes"))).toBe("It is blocked. A new one?");
    expect(await answer(...blocked, agent("It is blocked. A new one?"), user("yes"))).toBe("[order]");
  });
});

describe("words before anything of the agent that takes over was heard", () => {
  const handover = [
    user("block my debit card"),
    ...ran("handoff_to_agent", { handoff: true, target_agent: "cards", previous_agent: "desk" }),
  ];
  const announced = [agent("I am connecting you to"), agent("I am connecting you to our card team.")];

  it("cannot say yes to its question", async () => {
    for (const heard of announced) {
      const asked = [...handover, heard, user("yes please")];
      expect(await answer(...asked)).toBe("Block the debit card?");
      expect(await answer(...asked, agent("These are the cards. Block the debit card?"), user("yes"))).toBe(
        '[block {"card":"debit"}]',
      );
    }
    expect(await answer(...handover, user("yes"))).toBe("Block the debit card?");
  });

  it("may correct the wish, or be another one", async () => {
    for (const heard of [announced, []].flat()) {
      expect(await answer(...handover, heard, user("no the credit card"))).toBe("Block the credit card?");
      expect(await answer(...handover, heard, user("when are you open"))).toBe("Always.");
    }
  });

  it("have nothing repeated that the agent before has said", async () => {
    const greeting = agent("These are the cards.");
    for (const heard of announced)
      expect(await answer(...handover, heard, user("say that again"), greeting)).toBe("Block the debit card?");
  });

  it("are as good as any once its question has begun", async () => {
    const heard = agent("I am connecting you to our card team. These are the cards. Block the debit");
    expect(await answer(...handover, heard, user("yes"))).toBe('[block {"card":"debit"}]');
  });
});

describe("words that the agent before has understood, of which the one that takes over is told nothing else", () => {
  const told = user("i have a question about my aunt");
  const greeting = agent("These are the cards.");

  it("are no misunderstanding where they fit no rule of its own", async () => {
    expect(await answer(told, greeting)).toBe("How can I help?");
    expect(await answer(told, agent("These are the cards. What can I do?"))).toBe("");
    expect(await answer(user("block my debit card"), greeting)).toBe("Block the debit card?");
  });

  it("are none where it takes over without a word", async () => {
    const options = { agentName: "cards", tools: ["block"], previousAgent: "desk" };
    const { answer: takeOver } = talkTo(rules, options);
    expect(await takeOver(told)).toBe("How can I help?");
    expect(await takeOver(user("block my debit card"))).toBe("Block the debit card?");
    expect(await takeOver(told, agent("How can I help?"), user("purple rain"))).toBe("Pardon?");
    expect(await answer(told)).toBe("Pardon?");
  });

  it("are none later on either, so that the next one is the first", async () => {
    const arrived = [told, agent("These are the cards. How can I help?")];
    expect(await answer(...arrived, user("purple rain"))).toBe("Pardon?");
    expect(await answer(...arrived, user("when are you open"))).toBe("Always.");
    expect(await answer(...arrived, user("purple rain"), agent("Pardon?"), user("green grass"))).toBe(
      "A person will help.",
    );
  });
});
