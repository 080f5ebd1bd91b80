import { assert, array, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryItem } from "../state/ports/session-store.ts";
import { budgetWithin, plainSummary, splitHistory, summaryNote, summaryRequest } from "./history-budget.ts";
import { estimateTokens } from "./estimate-tokens.ts";

function turn(index: number, words = 10): HistoryItem[] {
  const common = { agent: "desk", turnId: `turn-${index}`, timestampMs: 0, interrupted: false };
  const call = { id: `call-${index}`, name: "lookup", argumentsJson: "{}" };
  return [
    { ...common, role: "user", content: `question ${index} ${"word ".repeat(words)}` },
    { ...common, role: "assistant", content: "", toolCalls: [call] },
    { ...common, role: "tool", content: '{"success":true}', toolCallId: call.id, toolName: "lookup" },
    { ...common, role: "assistant", content: `answer ${index}` },
  ];
}

const turns = (count: number): HistoryItem[] => Array.from({ length: count }, (_, index) => turn(index)).flat();
const cost = (items: readonly HistoryItem[]): number =>
  items.reduce((sum, item) => sum + estimateTokens(item.content), 0);

describe("splitHistory", () => {
  it("leaves a history alone that is within its budget", () => {
    const history = turns(3);
    expect(splitHistory(history, { maxTokens: 1000, keepTurns: 2 })).toEqual({ summarise: [], keep: history });
  });

  it("cuts down to half of the budget, so that not every turn makes a summary", () => {
    const { summarise, keep } = splitHistory(turns(20), { maxTokens: 300, keepTurns: 2 });
    expect(cost(keep)).toBeLessThanOrEqual(150);
    expect(keep[0]).toMatchObject({ role: "user" });
    expect([...summarise, ...keep]).toEqual(turns(20));
  });

  it("never gives up the newest turns", () => {
    expect(splitHistory(turns(20), { maxTokens: 10, keepTurns: 3 }).keep).toEqual(turns(20).slice(-12));
  });

  it("keeps every tool's answer with its call, whatever the sizes", () => {
    const check = property(
      array(integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 30 }),
      integer({ min: 1, max: 500 }),
      (sizes, maxTokens) => {
        const history = sizes.flatMap((words, index) => turn(index, words));
        const { summarise, keep } = splitHistory(history, { maxTokens, keepTurns: 2 });
        const calls = new Set(keep.flatMap((item) => item.toolCalls?.map((call) => call.id) ?? []));
        const answers = keep.flatMap((item) => item.toolCallId ?? []);
        return (
          summarise.length + keep.length === history.length &&
          answers.every((id) => calls.has(id)) &&
          calls.size === answers.length
        );
      },
    );
    expect(() => assert(check)).not.toThrow();
  });
});

describe("a summary", () => {
  it("is asked for with what came before and what was said", () => {
    const [system, user] = summaryRequest("Alex wants a card.", turn(1, 0));
    expect(system?.content).toContain("six short sentences");
    expect(user?.content).toBe(
      'Before that: Alex wants a card.\nCaller: question 1 \n(lookup: {"success":true})\ndesk: answer 1',
    );
  });

  it("can do without a model, and stays within its bound", () => {
    expect(plainSummary("Alex called.", turn(1, 0))).toBe("Alex called. The caller said: question 1 . Done: lookup.");
    const long = plainSummary("x".repeat(5000), turns(2), 100);
    expect(long).toHaveLength(100);
    expect(long.endsWith("Done: lookup.")).toBe(true);
  });

  it("stands before the history as a note to the model", () => {
    expect(summaryNote("Alex called.")).toEqual({
      role: "system",
      content: "What was said earlier in this call, in short: Alex called.",
    });
  });
});

describe("a request for a summary", () => {
  it("is for the newest lines, where a very long history is resumed", () => {
    const [, request] = summaryRequest("Ada wants a card.", turns(20_000));
    expect(request?.content.length).toBeLessThan(121_000);
    expect(request?.content).toMatch(/^Before that: Ada wants a card\.\n\(What was said before is left out\.\)\n/);
    expect(request?.content).toContain("answer 19999");
    expect(request?.content).not.toContain("question 0 ");
  });
});

describe("[MODEL-12] the budget within a model's context", () => {
  it("leaves room for prompt, tools and answer, and is the usual one where the context is large", () => {
    const prompt = () => "x".repeat(4_000);
    expect(estimateTokens(prompt())).toBe(1_000);
    const within = (contextTokens?: number) => budgetWithin({ contextTokens, prompt, answerTokens: 400 });
    expect(within()).toEqual({ maxTokens: 6_000, keepTurns: 4 });
    expect(within(4_096)).toEqual({ maxTokens: 1_348, keepTurns: 2 });
    expect(within(128_000)).toEqual({ maxTokens: 6_000, keepTurns: 4 });
    expect(within(1_000)).toEqual({ maxTokens: 0, keepTurns: 2 });
  });
});
