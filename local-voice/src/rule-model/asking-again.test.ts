/** How it sounds to the caller when the agent comes back to a question, or on to the next request. */
import { describe, expect, it } from "vitest";
import type { AgentRules } from "../rules/rules.ts";
import { intent } from "./fake-intent.ts";
import { agent, ran, talkTo, user } from "./rule-conversation.ts";

const kinds = { credit: ["credit"], debit: ["debit"] };
const rules: AgentRules = {
  fallback: "Pardon?",
  arrival: "How can I help?",
  orientation: { intent: "help", offTopic: "I do not know that.", again: "Sorry." },
  escalation: { type: "call", say: "A person will help.", tool: "escalate_human", args: {} },
  intents: [
    intent("balance", {
      examples: ["what is my balance"],
      slots: [
        {
          name: "account",
          type: "choice",
          options: { checking: ["checking"], savings: ["savings"] },
          ask: "Sure. Checking or savings?",
          retry: "Was that checking or savings?",
        },
      ],
      action: { type: "call", tool: "get_balance", args: { account: "{{ slots.account }}" } },
      after: { success: { say: "You have it." } },
    }),
    intent("block", {
      examples: ["block my {card} card", "i lost my card"],
      slots: [{ name: "card", type: "choice", options: kinds, ask: "Credit or debit?" }],
      confirm: "Block the {{ slots.card }} card?",
      action: { type: "call", tool: "block", args: { card: "{{ slots.card }}" } },
      after: { success: { say: "Blocked." } },
    }),
    intent("replace", {
      examples: ["order a new {card} card"],
      slots: [{ name: "card", type: "choice", options: kinds, ask: "Which card?" }],
      action: { type: "call", tool: "order", args: { card: "{{ slots.card }}" } },
      after: { errors: { not_blocked: { say: "It is still active.", next: "block" } } },
    }),
    intent("hours", {
      examples: ["when are you open"],
      aside: true,
      action: { type: "call", tool: "hours", args: {} },
      after: { success: { say: "Always. Anything else?" } },
    }),
    intent("robot", {
      examples: ["are you a robot"],
      aside: true,
      action: { type: "say", say: "I am. What would you like?" },
    }),
    intent("claim", {
      examples: ["what about claim number {claim}", "what is the status of my claim"],
      slots: [{ name: "claim", type: "digits", length: 6, memory: "claim", retry: "I need six digits." }],
      action: { type: "call", tool: "claim", args: { claim: "{{ slots.claim }}" } },
    }),
    intent("help", { examples: ["what can you do"], action: { type: "say", say: "I can block cards." } }),
    intent("goodbye", { examples: ["no", "goodbye"], action: { type: "say", say: "Goodbye." } }),
  ],
};

const { answer } = talkTo(rules, {
  tools: ["get_balance", "claim", "block", "order", "hours", "escalate_human"],
  memory: { claim: "111111" },
});

const asked = [user("what is my balance"), agent("Sure. Checking or savings?")];
const confirming = [user("block my credit card"), agent("Block the credit card?")];

describe("a question that is asked again", () => {
  it("leaves out the words that only answered the request", async () => {
    expect(await answer(...asked, user("hmm"))).toBe("Checking or savings?");
    expect(await answer(...asked, user("are you a robot"))).toBe("I am. Checking or savings?");
    expect(await answer(...asked, user("when are you open"), ...ran("hours"))).toBe("Always. Checking or savings?");
  });

  it("follows an honest word about a question that the agent cannot answer", async () => {
    expect(await answer(...asked, user("what does that cost me"))).toBe("I do not know that. Checking or savings?");
    for (const says of ["what happens to my money", "yes but what does it cost"])
      expect(await answer(...confirming, user(says))).toBe("I do not know that. Block the credit card?");
    expect(await answer(...asked, user("what do you mean"))).toBe("Was that checking or savings?");
    const third = [user("why is that so"), agent("I do not know that. Block the credit card?")];
    expect(await answer(...confirming, ...third, ...third, user("who told you that"))).toBe(
      "A person will help. [escalate_human]",
    );
  });

  it("is not asked of somebody who only begins to speak", async () => {
    for (const says of ["um well", "well", "so um"])
      expect(await answer(agent("How are you?"), user(says))).toBe("How are you?");
    expect(await answer(...asked, user("um well"))).toBe("Checking or savings?");
  });
});

describe("a code that is too short", () => {
  const short = [user("what about claim number five five zero one two"), agent("I need six digits.")];

  it("is asked for, and not replaced by the one that was spoken of before", async () => {
    expect(await answer(user("what is the status of my claim"))).toBe('[claim {"claim":"111111"}]');
    expect(await answer(...short.slice(0, 1))).toBe("I need six digits.");
    expect(await answer(user("what about claim number five five zero one two seven"))).toBe(
      '[claim {"claim":"550127"}]',
    );
  });

  it("may be completed, or said anew", async () => {
    expect(await answer(...short, user("seven"))).toBe('[claim {"claim":"550127"}]');
    expect(await answer(...short, user("five five zero one two eight"))).toBe('[claim {"claim":"550128"}]');
    expect(await answer(...short, user("hmm"))).toBe("I need six digits.");
  });
});

describe("the next request", () => {
  it("is announced where its question would not explain itself", async () => {
    const both = [user("what is my balance and i lost my card"), agent("Sure. Checking or savings?"), user("savings")];
    expect(await answer(...both, ...ran("get_balance"))).toBe(
      "You have it. Now to the other thing you mentioned. Credit or debit?",
    );
  });

  it("is not announced where the question names it, or it is the same again", async () => {
    const named = [user("what is my balance and block my debit card"), agent("Sure. Checking or savings?")];
    expect(await answer(...named, user("savings"), ...ran("get_balance"))).toBe("You have it. Block the debit card?");
    const cards = [user("i lost my card"), agent("Credit or debit?"), user("both"), agent("Block the credit card?")];
    expect(await answer(...cards, user("yes"), ...ran("block"))).toBe("Blocked. Block the debit card?");
  });

  it("keeps what the caller has said, where one request must come before another", async () => {
    const refused = { success: false, error: "not_blocked" };
    expect(await answer(user("order a new debit card"), ...ran("order", refused))).toBe(
      "It is still active. Block the debit card?",
    );
  });
});

describe("an agent that takes over", () => {
  const handedOver = [
    user("somebody else please"),
    ...ran("handoff_to_agent", { handoff: true, target_agent: "desk" }),
  ];

  it("asks no second question where its greeting ends with one", async () => {
    expect(await answer(...handedOver, agent("This is the desk. What can I do?"))).toBe("");
    expect(await answer(...handedOver, agent("This is the desk."))).toBe("How can I help?");
  });

  it("is still asked what it can do by the next words", async () => {
    const greeted = [...handedOver, agent("This is the desk. What can I do?")];
    expect(await answer(...greeted, user("what is my balance"))).toBe("Sure. Checking or savings?");
    expect(await answer(...greeted, user("hmm"))).toBe("What can I do?");
  });
});

describe("a yes or no that is taken back", () => {
  it("is carried out as the caller means it in the end", async () => {
    for (const says of ["no wait yes", "no, I mean yes please", "no go ahead"])
      expect(await answer(...confirming, user(says))).toBe('[block {"card":"credit"}]');
    for (const says of [
      "Yes, no, wait, no.",
      "yes no",
      "do not do it",
      "I don't want you to do that",
      "no don't do that",
    ])
      expect(await answer(...confirming, user(says))).toBe("All right. What else can I do for you?");
  });

  it("is asked about again where it may be either, and while the caller says to wait", async () => {
    for (const says of ["no, yes", "yes and no", "no no yes", "okay wait", "yes hold on"])
      expect(await answer(...confirming, user(says))).toBe("Block the credit card?");
    expect(await answer(...asked, user("no, yes"))).toBe("Was that checking or savings?");
  });

  it("is asked about again where it answers an offer of the agent", async () => {
    const offered = [user("when are you open"), ...ran("hours"), agent("Always. Anything else?")];
    expect(await answer(...offered, user("no, yes"))).toBe("Was that a yes? Anything else?");
    expect(await answer(...offered, user("yes, no, wait, no"))).toBe("Goodbye.");
  });
});
