import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import type { ModelEvent } from "@voice/provider-kit/ports/language-model";
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

describe("[MODEL-41] pieces in odd places", () => {
  const read = (...wire: readonly unknown[]): readonly ModelEvent[] => {
    const assembler = new CompletionAssembler();
    return [...wire.flatMap((each) => assembler.accept(each)), ...assembler.complete(), assembler.end()];
  };
  const stop = { type: "finished", reason: "stop" };
  const called = [
    { type: "tool-call", call: { name: "look", argumentsJson: '{"a":1}' } },
    { type: "finished", reason: "tool-calls" },
  ];
  const call = { index: 0, id: "a", type: "function" as const, function: { name: "look", arguments: '{"a":1}' } };
  const whole = (message: object, finish: string) => ({ choices: [{ index: 0, message, finish_reason: finish }] });

  it("are said once: a whole answer after its pieces repeats them", () => {
    const text = { type: "text-delta", text: "Nine." };
    expect(read(chunk({ content: "Nine." }), whole({ content: "Nine." }, "stop"))).toEqual([text, stop]);
    expect(read(chunk({ tool_calls: [call] }), whole({ tool_calls: [call] }, "tool_calls"))).toMatchObject(called);
    expect(read({ choices: [{ index: 0, delta: {}, message: { content: "Nine." }, finish_reason: "stop" }] })).toEqual([
      text,
      stop,
    ]);
  });

  it("of another choice than the first are not said", () => {
    const other = { choices: [{ index: 1, delta: { content: "Ten." } }] };
    expect(read(other, chunk({ content: "Nine." }), other, chunk({}, "stop"))).toMatchObject([{ text: "Nine." }, stop]);
  });

  it("are read as text, as a list in an object, and behind the reason", () => {
    expect(read({ choices: [{ text: "Nine.", finish_reason: "stop" }] })).toMatchObject([{ text: "Nine." }, stop]);
    expect(read({ choices: [{ delta: { tool_calls: { "0": call } }, finish_reason: "stop" }] })).toMatchObject(called);
    expect(read(chunk({}, "tool_calls"), chunk({ tool_calls: [call] }))).toMatchObject(called);
  });
});

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

describe("[MODEL-13] an answer in another form", () => {
  const wire = (message: object, finish: string | null = null, key = "delta") => ({
    choices: [{ index: 0, [key]: message, finish_reason: finish }],
  });
  const whole = (...pieces: readonly object[]) => {
    const assembler = new CompletionAssembler();
    const events = [...pieces.flatMap((piece) => assembler.accept(piece)), ...assembler.complete()];
    return [...events, assembler.end()];
  };
  const text = (events: readonly ModelEvent[]) =>
    events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  const calls = (events: readonly ModelEvent[]) =>
    events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));

  it("is complete without a reason, with words, with whole calls, or empty", () => {
    expect(whole(wire({ content: "From nine" }), wire({ content: " to five." })).at(-1)).toMatchObject({
      reason: "stop",
    });
    const called = whole(
      wire({ tool_calls: [{ index: 0, id: "a", function: { name: "look", arguments: '{"n":1}' } }] }),
    );
    expect(called.at(-1)).toMatchObject({ reason: "tool-calls" });
    expect(calls(called)).toEqual([{ id: "a", name: "look", argumentsJson: '{"n":1}' }]);
    expect(whole(wire({ content: "" }))).toEqual([{ type: "finished", reason: "stop" }]);
    const half = { tool_calls: [{ index: 0, id: "a", function: { name: "look", arguments: '{"n":' } }] };
    expect(() => whole(wire(half))).toThrow("ended before its answer did");
  });

  it.each<[form: string, content: unknown]>([
    ["a list of parts", [{ type: "text", text: "Nine" }]],
    [
      "a list with thoughts",
      [
        { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Nine" },
      ],
    ],
    ["a part with a value", { type: "text", text: { value: "Nine", annotations: [] } }],
    ["texts", ["Ni", "ne"]],
    ["a refusal", [{ type: "refusal", refusal: "Nine" }]],
  ])("is read where its content is %s", (_form, content) => {
    expect(text(whole(wire({ content }, "stop")))).toBe("Nine");
    expect(text(whole(wire({ content }, "stop", "message")))).toBe("Nine");
  });

  it.each<[form: string, pieces: readonly object[]]>([
    ["an object", [{ tool_calls: [{ index: 0, id: "a", function: { name: "look", arguments: { n: 1 } } }] }]],
    [
      "encoded twice",
      [{ tool_calls: [{ index: 0, id: "a", function: { name: "look", arguments: JSON.stringify('{"n":1}') } }] }],
    ],
    [
      "in a call without a list",
      [{ tool_calls: { index: 0, id: "a", function: { name: "look", arguments: '{"n":1}' } } }],
    ],
    [
      "of a function_call",
      [{ function_call: { name: "look", arguments: '{"n"' } }, { function_call: { arguments: ":1}" } }],
    ],
    ["beside the name", [{ tool_calls: [{ id: "a", name: "look", arguments: '{"n":1}' }] }]],
    [
      "after a name in each piece",
      [
        { tool_calls: [{ function: { name: "look", arguments: '{"n"' } }] },
        { tool_calls: [{ function: { name: "look", arguments: ":1}" } }] },
      ],
    ],
    [
      "under an index that is a text",
      [{ tool_calls: [{ index: "0", id: "a", function: { name: "look", arguments: '{"n":1}' } }] }],
    ],
  ])("is read where the arguments are %s", (_form, pieces) => {
    expect(calls(whole(...pieces.map((piece) => wire(piece)), wire({}, "stop")))).toMatchObject([
      { name: "look", argumentsJson: '{"n":1}' },
    ]);
  });

  it("has two calls where they are told apart by nothing but their whole arguments", () => {
    const call = (n: number) => ({ tool_calls: [{ function: { name: "look", arguments: `{"n":${n}}` } }] });
    expect(calls(whole(wire(call(1)), wire(call(2)))).map(({ argumentsJson }) => argumentsJson)).toEqual([
      '{"n":1}',
      '{"n":2}',
    ]);
  });

  it.each<[reason: string, answer: string, expected: string]>([
    ["error", "We are open from", "length"],
    ["max_tokens", "We are open.", "length"],
    ["MAX_TOKENS", "We are open from", "length"],
    ["model_length", "We are open from", "length"],
    ["something_new", "We are open from", "length"],
    ["something_new", "We are open.", "stop"],
    ["end_turn", "We are open from", "stop"],
    ["eos_token", "We are open", "stop"],
    ["content_filter: PROHIBITED_CONTENT", "We", "content-filter"],
    ["SAFETY", "", "content-filter"],
    ["RECITATION", "We", "content-filter"],
    ["refusal", "", "content-filter"],
    ["function_call_filter: MALFORMED_FUNCTION_CALL", "", "stop"],
  ])("that ends for %s after %j is %s", (reason, answer, expected) => {
    expect(whole(wire({ content: answer }), wire({}, reason)).at(-1)).toMatchObject({ reason: expected });
  });
});
