import { describe, expect, it } from "vitest";
import { agentFile } from "../catalog/agent-file.ts";
import { afterCallDocument } from "../contracts/agents/after-call-document.ts";
import type { HistoryItem } from "../state/ports/session-store.ts";
import {
  afterCallMessages,
  afterCallSchema,
  hasCallerWords,
  namedAfterCall,
  noteWithoutModel,
  readAfterCall,
} from "./after-call.ts";
import { withheldItem } from "./withheld-turns.ts";

const named = afterCallDocument.parse({
  summary: true,
  outcomes: {
    card_blocked: { description: "A card was blocked.", tools: ["block_card"] },
    nothing_done: { description: "The caller only asked." },
  },
  fields: {
    card: { description: "Which card.", enum: ["credit", "debit"] },
    ending_in: { type: "integer", description: "Its last digits." },
    amount: { type: "number", description: "In dollars." },
    angry: { type: "boolean", description: "Whether the caller was angry." },
  },
});

const place = { agent: "desk", turnId: "turn-1", timestampMs: 0, interrupted: false };
const user = (content: string): HistoryItem => ({ ...place, role: "user", content });
const tool = (name: string, args: object, result: object, id = name): HistoryItem[] => [
  { ...place, role: "assistant", content: "", toolCalls: [{ id, name, argumentsJson: JSON.stringify(args) }] },
  { ...place, role: "tool", content: JSON.stringify(result), toolName: name, toolCallId: id },
];

describe("what is noted after a call", () => {
  it("[AFTER-1] is what the scenario and the agents that took part name, and of the same name the first", () => {
    const of = (description: string, webhook = true) =>
      afterCallDocument.parse({ webhook, fields: { card: { description }, [description]: { description } } });
    const agents = new Map([
      ["desk", { afterCall: of("desk") }],
      ["clerk", { afterCall: of("clerk", false) }],
      ["other", { afterCall: of("other") }],
    ]);
    const catalog = {
      scenario: { afterCall: { ...of("scenario"), summary: true } },
      agent: (name: string) => agents.get(name),
    };
    // Only what is read of a catalog is here.
    const session = { activeAgent: "clerk", visitedAgents: ["desk", "clerk"] };
    const merged = namedAfterCall(session, catalog);
    expect(merged).toMatchObject({ summary: true, webhook: false, fields: { card: { description: "scenario" } } });
    expect(Object.keys(merged?.fields ?? {}).toSorted()).toEqual(["card", "clerk", "desk", "scenario"]);
    expect(namedAfterCall({ activeAgent: "desk", visitedAgents: [] }, catalog)?.webhook).toBe(true);
    expect(namedAfterCall(session, { scenario: {}, agent: () => undefined })).toBeUndefined();
  });

  it("[AFTER-1] is checked with the file", () => {
    const problemsOf = (after_call: unknown) =>
      agentFile.shape.after_call.safeParse(after_call).error?.issues.map(({ path }) => path.join("."));
    expect(problemsOf({ summary: true })).toBeUndefined();
    expect(problemsOf({ fields: { Card: { description: "x" } } })).toEqual(["fields.Card"]);
    expect(problemsOf({ fields: { card: { type: "date", description: "x" } } })).toEqual(["fields.card.type"]);
    expect(problemsOf({ outcomes: { done: {} }, labels: {} })).toEqual(["outcomes.done.description", ""]);
  });

  it("[AFTER-2] is asked for by a strict schema, in which everything but the summary may be null", () => {
    const schema = afterCallSchema(named);
    expect(schema).toMatchObject({
      required: ["summary", "outcome", "fields"],
      additionalProperties: false,
      properties: {
        outcome: { type: ["string", "null"], enum: ["card_blocked", "nothing_done", null] },
        fields: {
          required: ["card", "ending_in", "amount", "angry"],
          additionalProperties: false,
          properties: { card: { enum: ["credit", "debit", null] }, ending_in: { type: ["integer", "null"] } },
        },
      },
    });
  });

  it("[AFTER-2] has null for every value that is not told, is none of the choices, or has another type", () => {
    const answer = {
      summary: " A card was blocked. ",
      outcome: "card_stolen",
      fields: { card: "gold", ending_in: 12.5, amount: 20, angry: "yes", more: 1 },
    };
    expect(readAfterCall(JSON.stringify(answer), named)).toEqual({
      summary: "A card was blocked.",
      outcome: null,
      fields: { card: null, ending_in: null, amount: 20, angry: null },
    });
  });

  it.each([
    ["in a fence", (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ["after a thought", (json: string) => `<think>{"summary": is it?}</think>\n${json}`],
    ["after a sentence", (json: string) => `Here it is: ${json}`],
  ])("is read %s", (_where, around) => {
    expect(readAfterCall(around(JSON.stringify({ summary: "Short.", outcome: "nothing_done" })), named)).toMatchObject({
      summary: "Short.",
      outcome: "nothing_done",
      fields: { card: null },
    });
  });

  it.each(["", "I cannot do that.", "{", '{"summary": ""}', "[1]"])("is not read from %j", (answer) => {
    expect(readAfterCall(answer, named)).toBeUndefined();
  });

  it("[AFTER-3] is taken from tools that succeeded where there is no model, the last one first", () => {
    const history = [
      user("Block my card."),
      ...tool("find_card", { card: "debit", ending_in: 4412 }, { success: true, amount: 12.5 }),
      ...tool("block_card", { card: "credit" }, { success: true }),
      ...tool("order_card", { ending_in: 1 }, { success: false, angry: true }),
    ];
    expect(noteWithoutModel(named, history, { angry: false })).toEqual({
      summary: "The caller said: Block my card.. Done: find_card, block_card.",
      outcome: "card_blocked",
      fields: { card: "credit", ending_in: 4412, amount: 12.5, angry: false },
    });
    expect(noteWithoutModel(named, [user("Hello.")], {})).toMatchObject({
      outcome: null,
      fields: { card: null, ending_in: null, amount: null, angry: null },
    });
  });

  it("[AFTER-7] reads nothing that a content filter has withheld", () => {
    const history = [user("something dreadful"), withheldItem(place)];
    expect(JSON.stringify(afterCallMessages(history, undefined))).not.toContain("dreadful");
    expect(noteWithoutModel(named, history, {}).summary).not.toContain("dreadful");
  });

  it("is written in the agent's language", () => {
    const [instructions] = afterCallMessages([user("Hallo.")], "de-DE");
    expect(instructions?.content).toContain("in German");
    expect([hasCallerWords([user("")]), hasCallerWords([user("Hallo.")])]).toEqual([false, true]);
  });
});
