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
      { type: "tool-call", call: { id: expect.stringMatching(/^call_.{36}$/), name: "hang_up", argumentsJson: "{}" } },
    ]);
    expect(assembler.end()).toEqual({ type: "finished", reason: "tool-calls" });
  });

  it("gives a call another id where the server's was used before in the conversation or in this answer", () => {
    const assembler = new CompletionAssembler(["tool_0_transfer"]);
    assembler.accept(toolDelta(0, { id: "tool_0_transfer", name: "transfer" }));
    assembler.accept(toolDelta(1, { id: "tool_1_look", name: "look" }));
    assembler.accept(toolDelta(2, { id: "tool_1_look", name: "look" }));
    const ids = assembler
      .accept(chunk({}, "tool_calls"))
      .flatMap((event) => (event.type === "tool-call" ? event.call.id : []));
    expect(ids).toEqual([expect.stringMatching(/^call_.{36}$/), "tool_1_look", expect.stringMatching(/^call_.{36}$/)]);
  });

  it("refuses to end before the model did", () => {
    const assembler = new CompletionAssembler();
    assembler.accept(chunk({ content: "Half" }));
    expect(() => assembler.end()).toThrow(expect.objectContaining({ code: "upstream_unavailable" }));
  });

  it.each<[server: string, pieces: readonly Parameters<typeof toolDelta>[]]>([
    [
      "Ollama, whose calls are whole and all have index 0",
      [
        [0, { id: "a", name: "find_order", arguments: '{"number":"17"}' }],
        [0, { id: "b", name: "find_order", arguments: '{"number":"18"}' }],
      ],
    ],
    [
      "vLLM, when it sent another id with each piece",
      [
        [0, { id: "a", name: "find_order", arguments: "" }],
        [0, { id: "x", arguments: '{"number":' }],
        [0, { id: "y", arguments: '"17"}' }],
        [1, { id: "b", name: "find_order", arguments: '{"number":"18"}' }],
      ],
    ],
    [
      "vLLM, when it gave both calls index 0 and empty ids to what follows",
      [
        [0, { id: "a", name: "find_order", arguments: "" }],
        [0, { id: "", arguments: '{"number":"17"}' }],
        [0, { id: "b", name: "find_order", arguments: "" }],
        [0, { id: "", arguments: '{"number":"18"}' }],
      ],
    ],
    [
      "a server that repeats id and name with each piece",
      [
        [0, { id: "a", name: "find_order", arguments: '{"number":' }],
        [0, { id: "a", name: "find_order", arguments: '"17"}' }],
        [1, { id: "b", name: "find_order", arguments: '{"number":"18"}' }],
      ],
    ],
    [
      "a server that cuts names, too",
      [
        [0, { id: "a", name: "find_" }],
        [0, { name: "order", arguments: '{"number":"17"}' }],
        [1, { id: "b", name: "find_order", arguments: '{"number":"18"}' }],
      ],
    ],
  ])("keeps two calls apart from %s", (_server, pieces) => {
    const assembler = new CompletionAssembler();
    for (const piece of pieces) assembler.accept(toolDelta(...piece));
    expect(assembler.accept(chunk({}, "tool_calls"))).toEqual([
      { type: "tool-call", call: { id: "a", name: "find_order", argumentsJson: '{"number":"17"}' } },
      { type: "tool-call", call: { id: "b", name: "find_order", argumentsJson: '{"number":"18"}' } },
    ]);
  });

  it("takes a call that comes after another one has finished the answer", () => {
    const assembler = new CompletionAssembler();
    const first = toolDelta(0, { id: "a", name: "first" });
    const events = [first, chunk({}, "tool_calls"), toolDelta(0, { id: "b", name: "second" }), chunk({}, "stop")];
    expect(events.flatMap((event) => assembler.accept(event))).toMatchObject([
      { call: { name: "first" } },
      { call: { name: "second" } },
    ]);
    expect(assembler.end()).toEqual({ type: "finished", reason: "tool-calls" });
  });

  it("is not finished by a finish reason that is left out or empty, nor counts by a usage that is", () => {
    const assembler = new CompletionAssembler();
    const wire = (fields: object): ChatCompletionChunk => JSON.parse(JSON.stringify({ ...chunk({}), ...fields }));
    assembler.accept(wire({ choices: [{ delta: { content: "Fine" } }], usage: {} }));
    assembler.accept(wire({ choices: [{ delta: { content: "." }, finish_reason: "" }] }));
    assembler.accept(wire({ choices: null }));
    expect(() => assembler.end()).toThrow("ended before its answer did");
    assembler.accept(wire({ choices: [{ finish_reason: "stop" }] }));
    expect(assembler.end()).toEqual({ type: "finished", reason: "stop" });
  });
});
