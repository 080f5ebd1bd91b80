/** An answer that the caller, who was still speaking, has cut off at its first words. */
import { describe, expect, it } from "vitest";
import type { AgentRules } from "../rules/rules.ts";
import { intent } from "./fake-intent.ts";
import { agent, ran, talkTo, user } from "./rule-conversation.ts";

const card = { name: "card", type: "choice", options: { travel: ["travel"], premium: ["premium"] } } as const;
const rules: AgentRules = {
  fallback: "Sorry, I did not get that.",
  arrival: "How can I help?",
  escalation: { type: "say", say: "A person will help." },
  intents: [
    intent("apply", {
      examples: ["apply for it", "apply for the {card} card"],
      slots: [card],
      confirm: "Shall I apply for the {{ slots.card }} card?",
      action: { type: "say", say: "Applied." },
    }),
    intent("eligible", {
      examples: ["can i get the {card} card"],
      slots: [card],
      action: { type: "say", say: "You are eligible." },
    }),
    intent("verify", {
      examples: ["verify me"],
      slots: [{ name: "code", type: "digits", length: 4, ask: "To verify you, what is your code?" }],
      action: { type: "call", tool: "verify", args: { code: "{{ slots.code }}" } },
    }),
    intent("order", {
      examples: ["order it", "order the {card} card"],
      slots: [card],
      first: { intent: "verify", unless: "verified" },
      confirm: "Shall I order the {{ slots.card }} card?",
      action: { type: "say", say: "Ordered." },
    }),
    intent("repeat", { examples: ["what did you say"], action: { type: "repeat" } }),
  ],
};

const { answer, answerKnowing } = talkTo(rules);

describe("words after an answer that was cut off at once", () => {
  it("go on with the sentence before it", async () => {
    expect(await answer(user("apply for the"), agent("Shall I"), user("travel card"))).toBe(
      "Shall I apply for the travel card?",
    );
    expect(await answer(user("apply for the travel"), agent("Sorry, I"), user("card"))).toBe(
      "Shall I apply for the travel card?",
    );
  });

  it("go on with it also once more is known than when it was said", async () => {
    const cut = [user("order it"), agent("To"), user("travel card"), agent("To verify you, what is your code?")];
    const verified = ran("verify");
    expect(await answerKnowing({ verified: true }, [...cut, user("1234"), ...verified])).toBe(
      "Shall I order the travel card?",
    );
  });

  it("do not make a misunderstanding of its first part", async () => {
    const cut = [user("well i was"), agent("Sorry, I"), user("thinking of something")];
    expect(await answer(...cut)).toBe("Sorry, I did not get that.");
  });

  it("stand for themselves where they make more sense alone, or answer yes or no", async () => {
    expect(await answer(user("purple rain"), agent("Sorry,"), user("can i get the travel card"))).toBe(
      "You are eligible.",
    );
    const asked = [user("apply for the travel card"), agent("Shall I apply for the travel card?")];
    expect(await answer(...asked, user("no"), agent("All"), user("yes"))).toBe("Applied.");
  });

  it("ask for the whole answer with 'what did you say'", async () => {
    expect(await answer(user("can i get the travel card"), agent("You are"), user("what did you say"))).toBe(
      "You are eligible.",
    );
  });

  it("are another turn once more of it was heard, or a whole sentence", async () => {
    const heard = [user("apply for the travel card"), agent("Shall I apply for")];
    expect(await answer(...heard, user("yes"))).toBe("Applied.");
    expect(await answer(user("purple rain"), agent("Sorry, I did not get that."), user("green grass"))).toBe(
      "A person will help.",
    );
  });
});
