import { describe, expect, it } from "vitest";
import type { Reply } from "../person/reply.ts";
import type { Expectations } from "./dialogue.ts";
import { hasWords, judgeInterruption, judgeReply } from "./judge-step.ts";

const nothingExpected: Expectations = { answerHas: [], answerLacks: [] };

function reply(changes: Partial<Reply> = {}): Reply {
  return {
    heardText: "checking",
    says: [{ agent: "desk", text: "Your account has ten dollars.", turnId: "turn-1", interrupted: false }],
    toolCalls: [],
    handoffs: [],
    errors: [],
    metrics: [],
    firstAudioMs: 700,
    ended: undefined,
    ...changes,
  };
}

const balance = {
  name: "get_balance",
  args: { account: "checking", currency: "USD" },
  result: { success: true, account: { last4: "7731" } },
  status: "success",
} as const;

function got(expects: Partial<Expectations>, changes: Partial<Reply> = {}): readonly string[] {
  return judgeReply({ ...nothingExpected, ...expects }, reply(changes)).map(({ expected }) => expected);
}

describe("judging a step", () => {
  it("expects nothing that is not written", () => {
    expect(got({}, { toolCalls: [balance] })).toEqual([]);
  });

  it("takes words in any letter case and whatever the punctuation between them, but only whole ones", () => {
    expect(hasWords("Sure. Checking, or savings?", "checking or Savings")).toBe(true);
    expect(hasWords("Fourteen dollars", "four")).toBe(false);
    expect(got({ answerHas: ["ten dollars", "a million"] })).toEqual(['answer has "a million"']);
    expect(got({ answerLacks: ["ten dollars", "a million"] })).toEqual(['answer lacks "ten dollars"']);
  });

  it("is content with one of several answers, and with none where none is due", () => {
    expect(got({ answerHasAny: ["a million", "ten dollars"] })).toEqual([]);
    expect(got({ answerHasAny: ["a million", "a penny"] })).toEqual(['answer has "a million" or "a penny"']);
    expect(got({ noAnswer: true })).toEqual(["no answer"]);
    expect(got({ noAnswer: true }, { says: [] })).toEqual(["no answer"]);
    expect(got({ noAnswer: true }, { says: [], firstAudioMs: undefined })).toEqual([]);
  });

  it("accepts more arguments and results than are written, not others", () => {
    const tools = (args: object, result: object) => ({
      tools: [{ name: "get_balance", args: { ...args }, result: { ...result } }],
    });
    expect(got(tools({ account: "checking" }, { account: { last4: "7731" } }), { toolCalls: [balance] })).toEqual([]);
    expect(got(tools({ account: "savings" }, {}), { toolCalls: [balance] })).toHaveLength(1);
    expect(got(tools({}, { account: { last4: "0000" } }), { toolCalls: [balance] })).toHaveLength(1);
  });

  it("wants all tools that are called, in order, handoffs aside", () => {
    const tools = [{ name: "get_balance", args: {}, result: {} }];
    const handoff = { ...balance, name: "handoff_to_agent" };
    expect(got({ tools }, { toolCalls: [balance, handoff] })).toEqual([]);
    expect(got({ tools }, { toolCalls: [balance, balance] })).toHaveLength(1);
    expect(got({ tools: [] }, { toolCalls: [balance] })).toHaveLength(1);
    expect(got({ tools: [] }, { toolCalls: [handoff] })).toEqual([]);
  });

  it("follows handoffs and the agent who has the floor", () => {
    const handoffs = [{ from: "desk", to: "cards", type: "announced" }] as const;
    expect(got({ handoffs: ["cards"], agent: "desk" }, { handoffs })).toEqual([]);
    expect(got({ handoffs: [] }, { handoffs })).toHaveLength(1);
    expect(got({ agent: "cards" })).toEqual(["agent cards"]);
  });

  it("measures the time to the first audio", () => {
    expect(got({ withinMs: 700 })).toEqual([]);
    expect(got({ withinMs: 699 })).toHaveLength(1);
    expect(got({ withinMs: 699 }, { firstAudioMs: undefined })).toHaveLength(1);
  });

  it("notices an end that is expected and does not come, and one that comes unexpected", () => {
    expect(got({ ends: true })).toHaveLength(1);
    expect(got({}, { ended: "caller_silent" })).toHaveLength(1);
    expect(got({ ends: "caller_silent" }, { ended: "caller_silent" })).toEqual([]);
    expect(got({ ends: "goodbye" }, { ended: "caller_silent" })).toHaveLength(1);
  });

  it("reports an error of the service whatever is expected", () => {
    expect(got({}, { errors: [{ code: "upstream_timeout", message: "no" }] })).toEqual(["no error"]);
  });

  it("reads the answer without what an interruption cut off", () => {
    const says = [
      { agent: "desk", text: "Thank you for", turnId: "turn-0", interrupted: true },
      { agent: "desk", text: "Checking or savings?", turnId: "turn-1", interrupted: false },
    ];
    expect(got({ answerLacks: ["thank you"], answerHas: ["savings"] }, { says })).toEqual([]);
    expect(judgeInterruption({ kind: "say", text: "wait" }, reply({ says }))).toEqual([]);
    expect(judgeInterruption({ kind: "say", text: "wait" }, reply())).toHaveLength(1);
    expect(judgeInterruption({ kind: "cough" }, reply())).toEqual([]);
  });
});
