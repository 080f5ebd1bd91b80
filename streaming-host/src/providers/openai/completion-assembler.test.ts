import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import { CompletionAssembler } from "./completion-assembler.ts";

type Choice = ChatCompletionChunk["choices"][number];

function chunk(delta: Choice["delta"], finish: Choice["finish_reason"] = null): ChatCompletionChunk {
  return {
    id: "c",
    object: "chat.completion.chunk",
    created: 0,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

function toolDelta(index: number, fields: { id?: string; name?: string; arguments?: string }): ChatCompletionChunk {
  const { id, ...called } = fields;
  return chunk({ tool_calls: [{ index, function: called, ...(id !== undefined && { id }) }] });
}

describe("the completion assembler", () => {
  it("survives chunks without choices", () => {
    const assembler = new CompletionAssembler();
    expect(assembler.accept({ ...chunk({}), choices: [] })).toEqual([]);
  });

  it("makes a refusal audible", () => {
    const assembler = new CompletionAssembler();
    expect(assembler.accept(chunk({ refusal: "I cannot do that." }))).toEqual([
      { type: "text-delta", text: "I cannot do that." },
    ]);
  });

  it("hands calls out in the order of their index, whole", () => {
    const assembler = new CompletionAssembler();
    assembler.accept(toolDelta(1, { id: "b", name: "second", arguments: "{" }));
    assembler.accept(toolDelta(0, { id: "a", name: "first", arguments: "{" }));
    assembler.accept(toolDelta(1, { arguments: "}" }));
    assembler.accept(toolDelta(0, { arguments: "}" }));
    expect(assembler.accept(chunk({}, "tool_calls"))).toEqual([
      { type: "tool-call", call: { id: "a", name: "first", argumentsJson: "{}" } },
      { type: "tool-call", call: { id: "b", name: "second", argumentsJson: "{}" } },
    ]);
  });

  it("gives a call without an id one, and a call without arguments an empty object", () => {
    const assembler = new CompletionAssembler();
    assembler.accept(toolDelta(0, { name: "hang_up" }));
    expect(assembler.accept(chunk({}, "stop"))).toEqual([
      { type: "tool-call", call: { id: "call_0", name: "hang_up", argumentsJson: "{}" } },
    ]);
    expect(assembler.end()).toEqual({ type: "finished", reason: "tool-calls" });
  });

  it("refuses to end before the model did", () => {
    const assembler = new CompletionAssembler();
    assembler.accept(chunk({ content: "Half" }));
    expect(() => assembler.end()).toThrow(expect.objectContaining({ code: "upstream_unavailable" }));
  });
});
