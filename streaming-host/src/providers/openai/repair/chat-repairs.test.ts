import { APIError } from "openai";
import { describe, expect, it } from "vitest";
import { LearntRepairs, RequestUnderRepair } from "../../repair-ladder.ts";
import { repairsFor } from "./chat-repairs.ts";
import type { ChatRepair } from "./chat-repairs.ts";
import { estimateRequest } from "./context-window.ts";
import { readRefusal } from "./refusal.ts";
import { callsOf } from "./wire-request.ts";
import type { WireMessage, WireRequest } from "./wire-request.ts";

const call = (id: string, name: string) => ({ id, type: "function" as const, function: { name, arguments: "{}" } });
const result = (id: string): WireMessage => ({ role: "tool", tool_call_id: id, content: "Found." });
const request: WireRequest = {
  model: "m",
  stream: true,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "assistant", content: "Hello." },
    { role: "user", content: "Two orders." },
    { role: "assistant", content: null, tool_calls: [call("call_1", "find-order"), call("call_2", "find-order")] },
    result("call_1"),
    result("call_2"),
    { role: "assistant", content: "Orders here." },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "find-order",
        description: "Finds.",
        parameters: {
          type: "object",
          properties: { kind: { type: ["string", "null"], const: "a" } },
          additionalProperties: false,
        },
      },
    },
    {
      type: "function",
      function: { name: "end_call", description: "Ends.", parameters: { type: "object", properties: {} } },
    },
  ],
  temperature: 0.7,
  top_p: 0.9,
  max_tokens: 400,
  stream_options: { include_usage: true },
};

/** Asks a server that refuses so for as long as it refuses; returns what it accepted, and how often it was asked. */
function repaired(
  isRefused: (request: WireRequest) => boolean,
  status: number,
  body: object,
  learnt = new LearntRepairs<WireRequest, ChatRepair>(),
  asked = request,
) {
  const refusal = readRefusal(APIError.generate(status, { error: body }, undefined, new Headers()));
  const under = new RequestUnderRepair(asked, learnt);
  let requests = 1;
  for (; isRefused(under.current); requests++) {
    const window = learnt.lasting.find((repair) => repair.window !== undefined)?.window;
    if (
      refusal === undefined ||
      !under.refused(refusal.signature, repairsFor(refusal, under, { window, hasAnswered: false }))
    )
      return { accepted: undefined, requests, learnt };
  }
  under.accepted();
  return { accepted: under.current, requests, learnt };
}

const spoken = ({ messages }: WireRequest) => messages.map(({ role }) => role);
const hasLateSystem = (asked: WireRequest) => spoken(asked).lastIndexOf("system") > 0;

describe("a refusal", () => {
  it.each<
    [says: string, status: number, body: object, isRefused: (asked: WireRequest) => boolean, changed: readonly string[]]
  >([
    [
      "that two parameters exclude each other",
      400,
      { message: "For this model, please set either top_p or temperature, but not both of them." },
      (asked) => asked["temperature"] !== undefined && asked["top_p"] !== undefined,
      ["top_p is left out beside temperature"],
    ],
    [
      "that a parameter is unknown, in the vendor's spelling",
      400,
      { code: 400, message: 'Invalid JSON payload received. Unknown name "streamOptions": Cannot find field.' },
      (asked) => asked["stream_options"] !== undefined,
      ["stream_options is left out"],
    ],
    [
      "that the limit is higher than the model's",
      400,
      {
        message:
          "max_tokens is too large: 400. This model supports at most 256 completion tokens, whereas you provided 400.",
      },
      (asked) => Number(asked["max_tokens"]) > 256,
      ["max_tokens is 256 at most"],
    ],
    [
      "that the caller has to be last",
      422,
      { message: "the final message must have role user when continuing" },
      (asked) => spoken(asked).at(-1) === "assistant",
      ["the last message is the caller's"],
    ],
    [
      "that calls come one at a time, from a template, with 500",
      500,
      { message: "Error in template: multiple tool calls in one message are not supported" },
      (asked) => asked.messages.some((message) => callsOf(message).length > 1),
      ["each message has one call"],
    ],
    [
      "that ids are too long",
      400,
      { message: "tool_call_id must be alphanumeric with a length of 9" },
      (asked) => asked.messages.flatMap(callsOf).some(({ id }) => id.length !== 9),
      ["ids of calls have nine letters and digits"],
    ],
    [
      "of a tool's schema, by its path",
      400,
      {
        message: "Invalid schema for function 'find-order': additionalProperties is not supported",
        param: "tools[0].function.parameters",
      },
      (asked) => JSON.stringify(asked.tools).includes("additionalProperties"),
      ["tools have plain schemas"],
    ],
    [
      "that there is no system role",
      400,
      { message: "Only user, assistant roles are supported, system is not allowed" },
      (asked) => spoken(asked).includes("system"),
      ["the prompt is part of the caller's words"],
    ],
    [
      "that nothing can be streamed",
      400,
      { message: "This model doesn't support tool use in streaming mode." },
      (asked) => asked.stream,
      ["answers are not streamed"],
    ],
  ])("[MODEL-10a] %s is understood, and what helped is learnt", (_says, status, body, isRefused, changed) => {
    const { accepted, learnt } = repaired(isRefused, status, body);
    expect(accepted).toBeDefined();
    expect(learnt.descriptions).toEqual(changed);
    expect(repaired(isRefused, status, body, learnt).requests).toBe(1);
  });

  it.each<
    [says: string, status: number, body: object, isRefused: (asked: WireRequest) => boolean, changed: readonly string[]]
  >([
    [
      "only user and assistant roles are supported",
      500,
      { message: "jinja2.exceptions.TemplateError: Only user and assistant roles are supported!" },
      (asked) => spoken(asked).some((role) => role === "tool" || role === "system"),
      [
        "the prompt is part of the caller's words",
        "results of tools are told in the caller's place",
        "the last message is the caller's",
      ],
    ],
    [
      "Unexpected role 'tool'",
      400,
      { message: "Unexpected role 'tool'" },
      (asked) => spoken(asked).includes("tool"),
      ["results of tools are told in the caller's place"],
    ],
    [
      "of a role, in pydantic's form",
      422,
      [
        {
          type: "literal_error",
          loc: ["body", "messages", 4, "role"],
          msg: "Input should be 'system', 'user' or 'assistant'",
          input: "tool",
        },
      ],
      (asked) => spoken(asked).includes("tool"),
      ["results of tools are told in the caller's place"],
    ],
    [
      "of None, in a template",
      500,
      { message: "jinja2.exceptions.UndefinedError: 'None' has no attribute 'split'" },
      (asked) => asked.messages.some(({ content }) => content === null),
      ["messages with calls have words, too"],
    ],
    [
      "of an instruction, in Google's words",
      400,
      [{ error: { code: 400, message: "Developer instruction is not enabled for models/gemma-3-27b-it" } }],
      (asked) => spoken(asked).includes("system"),
      ["the prompt is part of the caller's words"],
    ],
    [
      "of a value alone",
      400,
      { message: "Unsupported value: 'none' is not supported with the 'o3' model." },
      (asked) => asked["reasoning_effort"] !== undefined,
      ['reasoning_effort is left out where it is "none"'],
    ],
    [
      "that a model does not think",
      400,
      { message: '"gemma3" does not support thinking' },
      (asked) => asked["reasoning_effort"] !== undefined,
      ["reasoning_effort is left out"],
    ],
    [
      "of turns, with TGI's 424",
      424,
      { message: "Failed Dependency: conversation roles must alternate user/assistant" },
      (asked) => spoken(asked).find((role) => role !== "system") !== "user",
      ["messages are in strict order"],
    ],
  ])("[MODEL-10a] that says %s is understood", (_says, status, body, isRefused, changed) => {
    const asked = { ...request, reasoning_effort: "none" };
    const { accepted, learnt } = repaired(isRefused, status, body, undefined, asked);
    expect(accepted).toBeDefined();
    expect(learnt.descriptions).toEqual(expect.arrayContaining([...changed]));
    expect(learnt.descriptions).toHaveLength(changed.length);
    expect(repaired(isRefused, status, body, learnt, asked).requests).toBe(1);
  });

  it.each<[what: string, isRefused: (asked: WireRequest) => boolean]>([
    ["a parameter", (asked) => asked["top_p"] !== undefined],
    ["several calls", (asked) => asked.messages.some((message) => callsOf(message).length > 1)],
    [
      "a schema and the order",
      (asked) => spoken(asked).at(-1) === "assistant" || JSON.stringify(asked.tools).includes("const"),
    ],
    ["any call", (asked) => asked.messages.some((message) => message.role === "tool")],
    ["tools", (asked) => asked.tools !== undefined],
  ])("[MODEL-10a] that nobody understands is survived where it was about %s", (_what, isRefused) => {
    const { accepted, requests } = repaired(isRefused, 400, { message: "Solicitud no válida" });
    expect(accepted).toBeDefined();
    expect(requests).toBeLessThanOrEqual(10);
  });

  it("[MODEL-10b] that no request can meet ends", () => {
    const { accepted, requests } = repaired(() => true, 400, { message: "No." });
    expect(accepted).toBeUndefined();
    expect(requests).toBeLessThanOrEqual(10);
  });

  it.each([401, 403, 429, 503])("[MODEL-10c] with status %i is not one of the request", (status) => {
    expect(
      readRefusal(APIError.generate(status, { error: { message: "system role order" } }, undefined, new Headers())),
    ).toBeUndefined();
  });

  it("[MODEL-10c] whose words may be of a server that is ill changes nothing", () => {
    for (const message of [
      "Internal Server Error",
      "The model `m` does not exist",
      "deadline exceeded while processing your request",
    ])
      expect(repaired(() => true, 500, { message }).requests).toBe(1);
  });

  it("takes a value from one agent and not from another", () => {
    const refused = (asked: WireRequest) => asked["temperature"] === 1.9;
    const body = { message: "temperature: Input should be less than or equal to 1", param: "temperature" };
    const { learnt } = repaired(refused, 400, body, undefined, { ...request, temperature: 1.9 });
    expect(new RequestUnderRepair(request, learnt).current["temperature"]).toBe(0.7);
  });

  it("that took calls from a conversation takes none from the next one", () => {
    const { learnt } = repaired((asked) => asked.messages.some(({ role }) => role === "tool"), 400, { message: "No." });
    expect(new RequestUnderRepair(request, learnt).current.messages.some(({ role }) => role === "tool")).toBe(true);
  });
});

describe("[MODEL-40] a server without tools", () => {
  it.each<[status: number, message: string]>([
    [400, "registry.ollama.ai/library/gemma3:4b does not support tools"],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, "No endpoints found that support tool use."],
    [400, "`tool calling` is not supported with this model"],
    [500, "tools param requires --jinja flag"],
    [422, '[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]'],
    [400, "This model does not support function calling"],
  ])("(%i %s) is told of them in the prompt, from the first refusal on", (status, message) => {
    const isRefused = (asked: WireRequest): boolean => asked.tools !== undefined || asked["tool_choice"] !== undefined;
    const { accepted, requests, learnt } = repaired(isRefused, status, { message });
    expect(requests).toBe(2);
    expect(accepted?.messages[0]?.content).toContain('"name":"find-order"');
    expect(accepted?.messages.map(({ role }) => role)).toEqual([
      "system",
      "assistant",
      "user",
      "assistant",
      "user",
      "user",
      "assistant",
    ]);
    expect(accepted?.messages[3]?.content).toContain(
      '<tool_call>\n{"name": "find-order", "arguments": {}}\n</tool_call>',
    );
    expect(repaired(isRefused, status, { message }, learnt).requests).toBe(1);
    const withoutCalls = repaired(isRefused, status, { message }, learnt, { ...request, tool_choice: "none" });
    expect(withoutCalls.accepted?.messages[0]?.content).not.toContain('"name":"find-order"');
  });
});

describe("[MODEL-12] a context that is too small", () => {
  const turns = Array.from({ length: 60 }, (_, turn): WireMessage[] => [
    { role: "user", content: `Question ${turn}: and what about the other one, which I ordered before?` },
    { role: "assistant", content: `Answer ${turn}: that one is on its way, and it arrives tomorrow.` },
  ]).flat();
  const long: WireRequest = {
    ...request,
    messages: [{ role: "system", content: "Be brief." }, ...turns, { role: "user", content: "So?" }],
  };
  const window = 1_500;
  /** A server whose tokens are half as long again as our estimate. */
  const count = (asked: WireRequest) => estimateRequest(asked) * 1.5;
  const isTooLarge = (asked: WireRequest) => count(asked) + Number(asked["max_tokens"] ?? 0) > window;

  it.each<[server: string, status: number, body: object]>([
    [
      "llama.cpp",
      400,
      {
        code: 400,
        message: "the request exceeds the available context size",
        n_prompt_tokens: Math.ceil(count(long)),
        n_ctx: window,
      },
    ],
    [
      "OpenAI",
      400,
      {
        code: "context_length_exceeded",
        message: `This model's maximum context length is ${window} tokens. However, you requested ${Math.ceil(count(long)) + 400} tokens (${Math.ceil(count(long))} in the messages, 400 in the completion).`,
      },
    ],
    ["Claude", 400, { message: `prompt is too long: ${Math.ceil(count(long))} tokens > ${window} maximum` }],
    [
      "Gemini",
      400,
      {
        message: `The input token count (${Math.ceil(count(long))}) exceeds the maximum number of tokens allowed (${window}).`,
      },
    ],
    [
      "llama-cpp-python",
      400,
      { message: `Requested tokens (${Math.ceil(count(long))}) exceed context window of ${window}` },
    ],
    ["Bedrock", 400, { message: "Input is too long for requested model." }],
    ["a proxy", 413, {}],
  ])("is learnt from what %s says, and the last words are kept", (_server, status, body) => {
    const { accepted, requests, learnt } = repaired(isTooLarge, status, body, undefined, long);
    expect(accepted?.messages.at(0)?.role).toBe("system");
    expect(accepted?.messages.at(-1)).toEqual({ role: "user", content: "So?" });
    expect(accepted?.messages.length).toBeGreaterThan(5);
    expect(requests).toBeLessThanOrEqual(7);
    expect(repaired(isTooLarge, status, body, learnt, long).requests).toBe(1);
  });

  it("has room for a very long result", () => {
    const messages: WireMessage[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Look." },
      { role: "assistant", content: null, tool_calls: [call("a", "find-order")] },
      { role: "tool", tool_call_id: "a", content: "result ".repeat(3_000) },
    ];
    const { accepted } = repaired(isTooLarge, 400, { message: "too many tokens", n_ctx: window }, undefined, {
      ...request,
      messages,
    });
    expect(accepted?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  });
});

it("a late system message and more are repaired one after the other, as the server names them", () => {
  const learnt = new LearntRepairs<WireRequest, ChatRepair>();
  const asked: WireRequest = { ...request, messages: [...request.messages, { role: "system", content: "Late." }] };
  const under = new RequestUnderRepair(asked, learnt);
  for (let tries = 0; tries < 5; tries++) {
    const message = hasLateSystem(under.current)
      ? "System message must be at the beginning."
      : under.current["top_p"] === undefined
        ? undefined
        : "top_p: Extra inputs are not permitted";
    if (message === undefined) break;
    const refusal = readRefusal(APIError.generate(400, { error: { message } }, undefined, new Headers()));
    if (refusal === undefined) throw new Error("it is a refusal");
    under.refused(refusal.signature, repairsFor(refusal, under, { window: undefined, hasAnswered: false }));
  }
  under.accepted();
  expect(learnt.descriptions).toEqual(["messages are in strict order", "top_p is left out"]);
});
