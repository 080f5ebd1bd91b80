import { unfinishedResult } from "@voice/shared/conversation/unfinished-call";
import { describe, expect, it } from "vitest";
import type { AgentRules } from "../rules/rules.ts";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { ModelEvent, ModelMessage, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { intent } from "./fake-intent.ts";
import { user } from "./rule-conversation.ts";
import { createRuleModel } from "./rule-model.ts";

const rules: AgentRules = {
  fallback: "Pardon?",
  arrival: "Welcome to {{ bank }}.",
  escalation: { type: "call", say: "A person will help.", tool: "escalate_human", args: { reason: "lost" } },
  intents: [
    intent("balance", {
      examples: ["what is my balance", "check the balance of my {account} account"],
      slots: [
        {
          name: "account",
          type: "choice",
          options: { checking: ["checking"], savings: ["savings"] },
          ask: "Checking or savings?",
          retry: "Which one?",
        },
      ],
      first: { intent: "verify", unless: "verified" },
      action: { type: "call", tool: "get_balance", args: { account: "{{ slots.account }}" } },
      after: { success: { say: "You have {{ result.balance | money }}." }, failure: { say: "No luck." } },
    }),
    intent("verify", {
      examples: ["verify me", "my code is {code}"],
      slots: [{ name: "code", type: "digits", length: 4, ask: "Your code?", retry: "Four digits, please." }],
      action: { type: "call", tool: "verify", args: { code: "{{ slots.code }}" } },
      after: {
        success: { say: "Thank you." },
        failure: { say: "That is wrong.", next: "verify" },
        errors: { locked: { say: "You are locked out." } },
      },
    }),
    intent("pay", {
      examples: ["pay {amount} to {payee}", "send money"],
      slots: [
        { name: "amount", type: "amount", ask: "How much?" },
        { name: "payee", type: "name", ask: "To whom?" },
      ],
      confirm: "Pay {{ slots.amount | money }} to {{ slots.payee }}?",
      declined: "Not paid.",
      action: {
        type: "call",
        say: "Paying.",
        tool: "pay",
        args: { amount: "{{ slots.amount }}", payee: "{{ slots.payee }}", note: "{{ slots.note }}" },
      },
    }),
    intent("card", {
      examples: ["block my {card} card"],
      slots: [
        {
          name: "card",
          type: "choice",
          options: { credit: ["credit"], debit: ["debit"] },
          ask: "Which?",
          help: "Each has its own number.",
        },
      ],
      confirm: "Block the {{ slots.card }} card?",
      action: { type: "call", tool: "block", args: { card: "{{ slots.card }}" } },
      after: {
        success: { say: "Blocked. Would you like a new one?", offer: "new_card" },
        failure: { say: "{{ result.message }} Anything else?" },
      },
    }),
    intent("new_card", {
      examples: ["send me a new card"],
      slots: [{ name: "card", type: "choice", options: { credit: ["credit"], debit: ["debit"] }, ask: "Which card?" }],
      action: { type: "call", tool: "order", args: { card: "{{ slots.card }}" } },
    }),
    intent("robot", {
      examples: ["are you a robot"],
      aside: true,
      action: { type: "say", say: "I am. What would you like?" },
    }),
    intent("rates", {
      examples: ["what are your rates"],
      aside: true,
      action: { type: "call", tool: "rates", args: {} },
      after: { success: { say: "Four percent. Anything else?" } },
    }),
    intent("goodbye", { examples: ["no", "goodbye"], action: { type: "say", say: "Goodbye." } }),
    intent("expert", {
      examples: ["let me talk to an expert"],
      action: { type: "handoff", to: ["wizard", "expert"], reason: "Wants an expert." },
    }),
    intent("repeat", { examples: ["say that again"], action: { type: "repeat" } }),
    intent("hours", { examples: ["when are you open"], action: { type: "say", say: "We never close." } }),
  ],
};

const handoffTool = {
  name: "handoff_to_agent",
  description: "",
  parameters: { type: "object", properties: { target_agent: { type: "string", enum: ["Expert"] } } },
};

const tools = [
  handoffTool,
  ...["get_balance", "verify", "pay", "escalate_human", "block", "order", "rates"].map((name) => ({
    name,
    description: "",
    parameters: {},
  })),
];
const clock = new VirtualClock(Date.UTC(2026, 2, 21));
const model = createRuleModel({ clock, rulesOf: () => rules, createCallId: () => "call-1" });

function request(messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    agent: { name: "desk", templateVars: { bank: "Harbor" } },
    messages,
    tools,
    settings: { deploymentId: "local" },
    memory: { verified: true },
    ...more,
  };
}

async function answer(messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): Promise<string> {
  let text = "";
  for await (const event of model.stream(request(messages, more), new AbortController().signal)) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "tool-call") text += ` [${event.call.name} ${event.call.argumentsJson}]`;
  }
  return text.trim();
}

/** This model ignores the note's words; all that counts is that nothing was understood. */
const unclear: ModelMessage = { role: "user", content: "[verify me]", understood: false };
const agent = (content: string, tool?: string): ModelMessage =>
  tool === undefined
    ? { role: "assistant", content }
    : { role: "assistant", content, toolCalls: [{ id: "call-1", name: tool, argumentsJson: "{}" }] };
const result = (name: string, value: object): ModelMessage => ({
  role: "tool",
  toolCallId: "call-1",
  name,
  content: JSON.stringify(value),
});

describe("the rule model", () => {
  it("calls a tool with what the sentence says, and speaks the result", async () => {
    const messages = [user("check the balance of my savings account")];
    expect(await answer(messages)).toBe('[get_balance {"account":"savings"}]');
    const called = [...messages, agent("", "get_balance")];
    expect(await answer([...called, result("get_balance", { success: true, balance: 12.5 })])).toBe(
      "You have twelve dollars and fifty cents.",
    );
    expect(await answer([...called, result("get_balance", { success: false })])).toBe("No luck.");
  });

  it("[TOOL-10c] answers without a result that is still to come, and speaks it when it is there", async () => {
    const messages = [
      user("check the balance of my savings account"),
      user("check my balance"),
      agent("", "get_balance"),
    ];
    const running: ModelMessage = { ...result("get_balance", {}), content: unfinishedResult("running") };
    expect(await answer([...messages, running])).toBe('[get_balance {"account":"savings"}]');
    expect(await answer([...messages, result("get_balance", { success: true, balance: 12.5 })])).toBe(
      "You have twelve dollars and fifty cents.",
    );
  });

  it("[TOOL-11] calls no tool where the request allows none", async () => {
    const messages = [user("check the balance of my savings account")];
    expect(await answer(messages, { toolChoice: "none" })).toBe("Sorry, I cannot do that right now.");
  });

  it("asks for what is missing, asks again, and takes the answer", async () => {
    const messages = [user("what is my balance")];
    expect(await answer(messages)).toBe("Checking or savings?");
    const again = [...messages, agent("Checking or savings?"), user("the green one")];
    expect(await answer(again)).toBe("Which one?");
    expect(await answer([...again, agent("Which one?"), user("savings please")])).toBe(
      '[get_balance {"account":"savings"}]',
    );
  });

  it("escalates when the third answer makes no sense either", async () => {
    const messages = [
      user("what is my balance"),
      agent("Checking or savings?"),
      user("green"),
      agent("Which one?"),
      user("blue"),
    ];
    expect(await answer(messages)).toBe("Which one?");
    expect(await answer([...messages, agent("Which one?"), user("red")])).toBe(
      'A person will help. [escalate_human {"reason":"lost"}]',
    );
  });

  it("[TURN-13g] takes speech that was not understood for words that make no sense", async () => {
    expect(await answer([unclear])).toBe("Pardon?");
    expect(await answer([unclear, agent("Pardon?"), user("purple rain")])).toContain("escalate_human");
    expect(await answer([user("purple rain"), agent("Pardon?"), unclear])).toContain("escalate_human");
    const asked = [user("what is my balance"), agent("Checking or savings?"), unclear];
    expect(await answer(asked)).toBe("Which one?");
    const again = [...asked, agent("Which one?"), unclear];
    expect(await answer(again)).toBe("Which one?");
    expect(await answer([...again, agent("Which one?"), unclear])).toContain("escalate_human");
    expect(await answer([...again, agent("Which one?"), user("savings")])).toBe('[get_balance {"account":"savings"}]');
  });

  it("[TURN-13g] takes it neither for a name nor for a yes", async () => {
    const asked = [user("send money"), agent("How much?"), user("ten dollars"), agent("To whom?")];
    expect(await answer([...asked, unclear])).toBe("To whom?");
    const confirm = "Pay ten dollars to Bob?";
    expect(await answer([...asked, user("bob"), agent(confirm), unclear])).toBe(confirm);
  });

  it("tells the recogniser when it has asked for a code", async () => {
    const awaited = async (messages: readonly ModelMessage[], memory = {}): Promise<unknown> => {
      const events: ModelEvent[] = [];
      for await (const event of model.stream(request(messages, { memory }), new AbortController().signal))
        events.push(event);
      return events.flatMap((event) => (event.type === "finished" ? [event.awaits] : []));
    };
    const asked = [user("what is my balance"), agent("Your code?")];
    expect(await awaited(asked.slice(0, 1))).toEqual([{ type: "digits", length: 4 }]);
    expect(await awaited([...asked, user("four four")])).toEqual([{ type: "digits", length: 4, missing: 2 }]);
    expect(await awaited([...asked, user("four four one two")])).toEqual([undefined]);
    expect(await awaited(asked.slice(0, 1), { verified: true })).toEqual([undefined]);
  });

  it("does first what must come first, and then what was asked for", async () => {
    const messages = [user("check the balance of my savings account")];
    const memory = {};
    expect(await answer(messages, { memory })).toBe("Your code?");
    const code = [...messages, agent("Your code?"), user("four four one two")];
    expect(await answer(code, { memory })).toBe('[verify {"code":"4412"}]');
    const called = [...code, agent("", "verify")];
    const verified = [...called, result("verify", { success: true })];
    expect(await answer(verified, { memory: { verified: true } })).toBe(
      'Thank you. [get_balance {"account":"savings"}]',
    );
    const wrong = [...called, result("verify", { success: false })];
    expect(await answer(wrong, { memory })).toBe("That is wrong. Your code?");
    const retried = [
      ...wrong,
      agent("That is wrong. Your code?"),
      user("one two three four"),
      agent("", "verify"),
      result("verify", { success: true }),
    ];
    expect(await answer(retried, { memory: { verified: true } })).toBe(
      'Thank you. [get_balance {"account":"savings"}]',
    );
    expect(await answer([...called, result("verify", { success: false, error: "locked" })], { memory })).toBe(
      "You are locked out.",
    );
  });

  it("takes digits that a pause cut in two", async () => {
    const messages = [user("verify me"), agent("Your code?"), user("four four"), user("one two")];
    expect(await answer(messages)).toBe('[verify {"code":"4412"}]');
  });

  it("confirms, and leaves out arguments that nobody gave", async () => {
    const messages = [user("pay twenty five dollars to jane doe")];
    expect(await answer(messages)).toBe("Pay twenty five dollars to Jane Doe?");
    const asked = [...messages, agent("Pay twenty five dollars to Jane Doe?")];
    expect(await answer([...asked, user("yes please")])).toBe('Paying. [pay {"amount":25,"payee":"Jane Doe"}]');
    expect(await answer([...asked, user("no")])).toBe("Not paid.");
    expect(await answer([...asked, user("no when are you open")])).toBe("We never close.");
    expect(await answer([...asked, user("say that again")])).toBe("Pay twenty five dollars to Jane Doe?");
    expect(
      await answer([...asked, user("say that again"), agent("Pay twenty five dollars to Jane Doe?"), user("yes")]),
    ).toContain("[pay");
  });

  it("fills slots one question at a time", async () => {
    const messages = [
      user("send money"),
      agent("How much?"),
      user("a hundred dollars"),
      agent("To whom?"),
      user("my name is jane doe"),
    ];
    expect(await answer(messages.slice(0, 1))).toBe("How much?");
    expect(await answer(messages.slice(0, 3))).toBe("To whom?");
    expect(await answer(messages)).toBe("Pay one hundred dollars to Jane Doe?");
  });

  it("lets the caller change the subject in the middle of a question", async () => {
    expect(await answer([user("what is my balance"), agent("Checking or savings?"), user("when are you open")])).toBe(
      "We never close.",
    );
  });

  it("hands over to the first agent that the conversation offers, and otherwise does not know the intent", async () => {
    expect(await answer([user("let me talk to an expert")])).toBe(
      '[handoff_to_agent {"target_agent":"Expert","reason":"Wants an expert."}]',
    );
    expect(await answer([user("let me talk to an expert")], { tools: tools.slice(1) })).toBe("Pardon?");
  });

  it("calls no tool that is not on offer", async () => {
    expect(await answer([user("check the balance of my savings account")], { tools: [] })).toBe(
      "Sorry, I cannot do that right now.",
    );
  });

  it("goes on from its greeting with what the caller asked the agent before", async () => {
    const handover = [
      user("what is my balance"),
      agent("", "handoff_to_agent"),
      result("handoff_to_agent", { success: true, handoff: true, target_agent: "desk", previous_agent: "Expert" }),
    ];
    expect(await answer([...handover, agent("Good morning.")])).toBe("Checking or savings?");
    const asked = [...handover, agent("Good morning. Checking or savings?"), user("savings")];
    expect(await answer(asked)).toBe('[get_balance {"account":"savings"}]');
    expect(await answer([user("what is my balance"), agent("Good morning.")])).toBe("Checking or savings?");
  });

  it("does not send a caller back to the agent they came from", async () => {
    const from = (previous: string): ModelMessage[] => [
      user("let me talk to an expert"),
      agent("", "handoff_to_agent"),
      result("handoff_to_agent", { success: true, handoff: true, target_agent: "desk", previous_agent: previous }),
    ];
    expect(await answer(from("expert"))).toBe("Welcome to Harbor.");
    expect(await answer(from("other"))).toContain("[handoff_to_agent");
  });

  it("answers what the caller said before a silent handover", async () => {
    const handover = [
      agent("", "handoff_to_agent"),
      result("handoff_to_agent", { success: true, handoff: true, target_agent: "Desk" }),
    ];
    expect(await answer([user("when are you open"), ...handover])).toBe("We never close.");
    expect(await answer([user("purple rain"), ...handover])).toBe("Welcome to Harbor.");
    expect(
      await answer([
        user("what is my balance"),
        agent("Checking or savings?"),
        user("x"),
        ...handover,
        agent("Hello."),
        user("savings"),
      ]),
    ).toBe("Pardon?");
  });

  it("asks once, then escalates; an understood turn in between forgives", async () => {
    const messages = [user("purple rain"), agent("Pardon?")];
    expect(await answer([...messages, user("green grass")])).toBe(
      'A person will help. [escalate_human {"reason":"lost"}]',
    );
    expect(await answer([...messages, user("when are you open"), agent("We never close."), user("green grass")])).toBe(
      "Pardon?",
    );
  });

  it("repeats all of an answer of which only a part was heard", async () => {
    expect(await answer([user("when are you open"), agent("We never"), user("say that again")])).toBe(
      "We never close.",
    );
    expect(await answer([agent("Good morning."), user("say that again")])).toBe("Good morning.");
  });

  it("repeats the question that was cut off before its first word, with the sentence before it that was heard", async () => {
    const handover = [
      user("block my credit card"),
      agent("", "handoff_to_agent"),
      result("handoff_to_agent", { success: true, handoff: true, target_agent: "desk", previous_agent: "other" }),
    ];
    const again = await answer([...handover, agent("I am connecting you."), user("say that again")]);
    expect(again).toBe("I am connecting you. Block the credit card?");
    // What was heard is itself a question: it is the one that is open, whatever would be asked today.
    expect(await answer([...handover, agent("Which card, please?"), user("say that again")])).toBe(
      "Which card, please?",
    );
  });

  it("knows where it stands in a call of any length", async () => {
    const chat = Array.from({ length: 50 }, () => [user("when are you open"), agent("We never close.")]).flat();
    expect(await answer([...chat, user("what is my balance"), agent("Checking or savings?"), user("savings")])).toBe(
      '[get_balance {"account":"savings"}]',
    );
  });

  it("streams word by word and reports its usage", async () => {
    const events: ModelEvent[] = [];
    for await (const event of model.stream(request([user("when are you open")]), new AbortController().signal))
      events.push(event);
    expect(events).toEqual([
      { type: "text-delta", text: "We" },
      { type: "text-delta", text: " never" },
      { type: "text-delta", text: " close." },
      { type: "finished", reason: "stop", usage: { inputTokens: 4, outputTokens: 3 } },
    ]);
  });

  it("stops at once when it is aborted", async () => {
    const abort = new AbortController();
    const heard: string[] = [];
    const reading = (async () => {
      for await (const event of model.stream(request([user("when are you open")]), abort.signal)) {
        if (event.type === "text-delta") heard.push(event.text);
        abort.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(heard).toEqual(["We"]);
  });

  it("goes on with a question that waited for something memory knows by now", async () => {
    const asked = [
      user("what is my balance"),
      agent("Your code?"),
      user("one two three four"),
      agent("", "verify"),
      result("verify", { success: true }),
    ];
    expect(await answer(asked)).toBe("Thank you. Checking or savings?");
    const greeted = asked.with(1, agent("This is the desk. Your code?"));
    expect(await answer(greeted)).toBe("Thank you. Checking or savings?");
  });

  describe("to a caller who does not answer as asked", () => {
    const block = [user("block my credit card"), agent("Block the credit card?")];
    const blocked = [...block, user("yes"), agent("", "block"), result("block", { success: true })];
    const offer = [...blocked, agent("Blocked. Would you like a new one?")];

    it.each([
      ["no the debit card", "Block the debit card?"],
      ["actually the other card", "Block the debit card?"],
      ["not the credit card the debit card", "Block the debit card?"],
      ["yes but what does it cost", "Block the credit card?"],
      ["what happens then please", "Block the credit card?"],
      ["yes", '[block {"card":"credit"}]'],
      ["no", "All right. What else can I do for you?"],
      ["no when are you open", "We never close."],
      ["are you a robot", "I am. Block the credit card?"],
      ["what are your rates", "[rates {}]"],
    ])("who says '%s' where a yes is wanted: %s", async (says, expected) => {
      expect(await answer([...block, user(says)])).toBe(expected);
    });

    it("does something in between and comes back to the question", async () => {
      const rates = [...block, user("what are your rates"), agent("", "rates"), result("rates", { success: true })];
      expect(await answer(rates)).toBe("Four percent. Block the credit card?");
    });

    it("does what is wanted besides after a yes, and what is wanted in the same breath", async () => {
      const both = [...block, user("yes and check the balance of my savings account")];
      expect(await answer(both)).toBe('[block {"card":"credit"}]');
      const done = [...both, agent("", "block"), result("block", { success: true })];
      expect(await answer(done)).toBe('Blocked. [get_balance {"account":"savings"}]');
      const breath = [user("check the balance of my savings account and block my debit card")];
      expect(await answer(breath)).toBe('[get_balance {"account":"savings"}]');
      const failed = [...breath, agent("", "get_balance"), result("get_balance", { success: false })];
      expect(await answer(failed)).toBe("No luck. Block the debit card?");
    });

    it("begins what was offered with a yes, and nothing with a no", async () => {
      expect(await answer([...offer, user("yes please")])).toBe('[order {"card":"credit"}]');
      expect(await answer([...offer, user("send me a new card")])).toBe('[order {"card":"credit"}]');
      expect(await answer([...offer, user("no")])).toBe("All right. What else can I do for you?");
      expect(await answer([...offer, user("when are you open"), agent("We never close."), user("yes")])).not.toContain(
        "[order",
      );
    });

    it("says what a question is for, and does not take a refusal for an answer", async () => {
      const which = [user("send money"), agent("How much?")];
      expect(await answer([...which, user("i do not want to say that")])).toBe("Not paid.");
      const card = [user("block my card"), agent("Which?")];
      expect(await answer([...card, user("why do you need that")])).toBe("Each has its own number. Which?");
    });

    it("corrects what was done last, and does the same with something else", async () => {
      const done = [user("check the balance of my savings account"), agent("", "get_balance")];
      const told = [...done, result("get_balance", { success: true, balance: 1 }), agent("You have one dollar.")];
      for (const says of ["no i said checking", "what about checking", "the other one", "checking"])
        expect(await answer([...told, user(says)])).toBe('[get_balance {"account":"checking"}]');
      expect(await answer([...told, user("no it was on tuesday")])).toBe("Pardon?");
    });

    it("takes a no for a goodbye only where it has asked", async () => {
      const told = [user("when are you open"), agent("We never close.")];
      expect(await answer([...told, user("no")])).toBe("All right. What else can I do for you?");
      expect(await answer([agent("Anything else?"), user("no")])).toBe("Goodbye.");
    });

    it("lets nobody hear what was wrong with a call", async () => {
      const bad = { success: false, error: "invalid_arguments", message: "Too small at card." };
      const failed = [...block, user("yes"), agent("", "block"), result("block", bad)];
      expect(await answer(failed)).toBe("Sorry, that did not work. Anything else?");
    });

    it("asks for nothing more once it has escalated the caller", async () => {
      const locked = result("verify", { success: false, error: "locked" });
      const asked = [user("what is my balance"), agent("Your code?"), user("one two three four"), agent("", "verify")];
      const escalated = [...asked, locked, agent("", "escalate_human"), result("escalate_human", { success: true })];
      expect(await answer([...asked, locked], { memory: {} })).toBe("You are locked out.");
      expect(await answer(escalated, { memory: {} })).toBe("");
    });

    it("understands a code before it is asked for", async () => {
      expect(await answer([user("it's 4412")], { memory: {} })).toBe('[verify {"code":"4412"}]');
      expect(await answer([user("what is my balance it is 4412")], { memory: {} })).toBe('[verify {"code":"4412"}]');
      expect(await answer([user("what is my balance on march third 2026")], { memory: {} })).toBe("Your code?");
    });
  });
});
