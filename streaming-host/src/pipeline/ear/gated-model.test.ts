import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { fakeAgent } from "../../testing/fake-catalog.ts";
import { RecordedLog } from "../../testing/recorded-log.ts";
import { longestWaitMs } from "./answer-beginnings.ts";
import { gateLanguageModel, longestWritten } from "./gated-model.ts";

type Piece = string | ModelEvent | Error | { readonly ms: number };

const request: ModelRequest = {
  agent: fakeAgent("desk"),
  messages: [],
  tools: [{ name: "book_table", description: "", parameters: {} }],
  settings: { deploymentId: "small" },
  memory: {},
};
const call = (name: string, argumentsJson: string): ModelEvent => ({
  type: "tool-call",
  call: { id: "call_1", name, argumentsJson },
});
const written = (name: string): string => `<tool_call>{"name": "${name}", "arguments": {"people": 2}}</tool_call>`;

/** A model that gives these answers, and the gate behind it. */
function rig(answers: readonly (readonly Piece[])[], { mayBeginInThought = false } = {}) {
  const clock = new VirtualClock();
  const log = new RecordedLog();
  let asked = 0;
  const model: LanguageModel = {
    mayBeginInThought: () => mayBeginInThought,
    async *stream() {
      for (const piece of answers[asked++] ?? []) {
        if (piece instanceof Error) throw piece;
        if (typeof piece === "string") yield { type: "text-delta", text: piece };
        else if ("ms" in piece) clock.advance(piece.ms);
        else yield piece;
      }
    },
  };
  const gated = gateLanguageModel(model, { clock, logger: log });
  async function ask(changed: Partial<ModelRequest> = {}): Promise<string[]> {
    const events: string[] = [];
    try {
      for await (const event of gated.stream({ ...request, ...changed }, new AbortController().signal)) {
        if (event.type === "text-delta") events.push(event.text);
        else if (event.type === "tool-call") events.push(`${event.call.name} ${event.call.argumentsJson}`);
        else events.push(event.reason);
      }
    } catch (error) {
      events.push(error instanceof Error ? `failed: ${error.message}` : "");
    }
    return events;
  }
  return { ask, log };
}

const stop: ModelEvent = { type: "finished", reason: "stop" };

describe("[EAR-22] a call in the protocol's own form", () => {
  const table = '{"people":2}';
  it.each([
    ["functions.book_table", table],
    [" book_table ", table],
    ["book_table<|channel|>commentary", table],
    ["book_table", `\`\`\`json\n${table}\n\`\`\``],
    ["book_table", `${table}</tool_call>`],
    ["book_table", "{'people': 2,}"],
    ["book_table", `{}${table}`],
    ["book_table", table + table],
    ["book_table", `[${table}]`],
    ["book_table", JSON.stringify(JSON.stringify(table))],
    ["multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.book_table","parameters":${table}}]}`],
  ])("is made as it is meant: %j %j", async (name, args) => {
    const { ask } = rig([[call(name, args), { type: "finished", reason: "tool-calls" }]]);
    expect(await ask()).toEqual([`book_table ${table}`, "tool-calls"]);
  });

  it.each([["null"], ["None"], [""], ['""'], ["{}"]])("has no arguments where it says so: %j", async (args) => {
    const { ask } = rig([[call("book_table", args), { type: "finished", reason: "tool-calls" }]]);
    expect(await ask()).toEqual(["book_table {}", "tool-calls"]);
  });

  it.each([
    ["launch", table],
    ["book_table", '{"people":2'],
    ["book_table", '{"people":2}{"people":3}'],
    ["book_table", "[1, 2]"],
    ["book_table", "two people"],
  ])("is shown as it came where nothing is certain: %j %j", async (name, args) => {
    const { ask } = rig([[call(name, args), { type: "finished", reason: "tool-calls" }]]);
    expect(await ask()).toEqual([`${name} ${args}`, "tool-calls"]);
  });
});

describe("a model behind the gate", () => {
  it("[EAR-1] gives its words as they come, without what is not for the ear", async () => {
    const { ask } = rig([["Your order ", "<thi", "nk>hm</thi", "nk> is", " here.", stop]]);
    expect(await ask()).toEqual(["Your order ", " is", " here.", "stop"]);
  });

  it("[EAR-5] calls a tool that is offered as in the protocol's own form, and not otherwise", async () => {
    const { ask } = rig([
      ["One moment. ", written("book_table"), stop],
      [written("book_table"), stop],
      [written("x"), stop],
      [written("book_table"), "Later.", stop],
    ]);
    expect(await ask()).toEqual(["One moment. ", 'book_table {"people":2}', "tool-calls"]);
    expect(await ask({ tools: [] })).toEqual(["stop"]);
    expect(await ask()).toEqual(["stop"]);
    expect(await ask({ toolChoice: "none" })).toEqual(["Later.", "stop"]);
  });

  it("[EAR-11] makes a call once that stands in the text, too", async () => {
    const { ask } = rig([
      [written("book_table"), call("book_table", '{ "people": 2 }'), { type: "finished", reason: "tool-calls" }],
    ]);
    expect(await ask()).toEqual(['book_table { "people": 2 }', "tool-calls"]);
  });

  it("[EAR-7a] [EAR-7b] [EAR-7c] logs once what kind was left out, and none of its words", async () => {
    const { ask, log } = rig([
      ["<think>secret</think>Yes.", written("launch"), stop],
      ["<think>secret</think>Yes.", stop],
      [written("book_table"), written("book_table"), stop],
    ]);
    await ask();
    await ask();
    await ask();
    expect(log.lines.map(({ level, fields: { what, notation, tool } }) => [level, what, notation, tool])).toEqual([
      ["info", "thought", "think", undefined],
      ["warn", "call", "tool", undefined],
      ["warn", undefined, undefined, "book_table"],
    ]);
    expect(JSON.stringify(log.lines)).not.toMatch(/secret|people|launch/);
  });

  it("[EAR-4] learns that a model's answers begin inside a thought, from the first one, which is not spoken either", async () => {
    const thinking = ["She asks. ", "I look.", "</think>", "\n\nYes", ", it is.", stop];
    const { ask } = rig([thinking, thinking, ["No thought.", stop], ["None.", stop], ["Fine", " now.", stop]], {
      mayBeginInThought: true,
    });
    expect(await ask()).toEqual(["Yes", ", it is.", "stop"]);
    expect(await ask()).toEqual(["Yes", ", it is.", "stop"]);
    expect(await ask()).toEqual(["No thought.", "stop"]);
    expect(await ask()).toEqual(["None.", "stop"]);
    expect(await ask()).toEqual(["Fine", " now.", "stop"]); // it thinks no more
  });

  it("[EAR-4] delays no answer of a model that has answered without, nor of one whose thoughts have marks", async () => {
    const plain = ["Your order", " is here.", stop];
    const { ask } = rig([plain, plain, ["Yes.", "</think>", "No.", stop], ["Hm.", "</think>", "No", "."]], {
      mayBeginInThought: true,
    });
    expect(await ask()).toEqual(["Your order is here.", "stop"]);
    expect(await ask()).toEqual(["Your order", " is here.", "stop"]);
    expect(await ask()).toEqual(["Yes.", "No.", "stop"]); // too late for this answer
    expect(await ask()).toEqual(["No", "."]);
    const marked = rig([["<think>", "hm", "</think>", "Your", " order."]], { mayBeginInThought: true });
    expect(await marked.ask()).toEqual(["Your", " order."]);
  });

  it("[EAR-4] keeps a caller waiting for the first answer no longer than four seconds", async () => {
    const { ask } = rig([["Once ", { ms: longestWaitMs }, "upon a time", " there was", " a king.", stop]], {
      mayBeginInThought: true,
    });
    expect(await ask()).toEqual(["Once upon a time", " there was", " a king.", "stop"]);
  });

  it("gives what was written before the model failed, and carries out no call of it", async () => {
    const { ask } = rig([
      ["It is 5 ", "<", new Error("away")],
      [written("book_table"), new Error("away")],
    ]);
    expect(await ask()).toEqual(["It is 5 ", "<", "failed: away"]);
    expect(await ask()).toEqual(["failed: away"]);
  });

  it("[EAR-8] ends an answer that only thinks, as at the model's own limit", async () => {
    const { ask } = rig([["<think>", ...Array.from({ length: 30 }, () => "hm ".repeat(longestWritten / 60)), stop]]);
    expect(await ask()).toEqual(["length"]);
  });
});
