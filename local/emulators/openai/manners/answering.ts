/** How servers send answers otherwise than OpenAI. */
import { randomUUID } from "node:crypto";
import type { AnsweredToolCall } from "../answer.ts";
import type { Manner } from "./manner.ts";

const halves = (text: string): readonly string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};
const shortId = (): string => `call_${randomUUID().slice(0, 8)}`;
const whole = ({ name, argumentsJson, id }: AnsweredToolCall, more: object, args: unknown = argumentsJson) => [
  { id: id ?? shortId(), type: "function", function: { name, arguments: args }, ...more },
];

export const promptFilter: Manner = {
  about: "the first chunk has the verdict on the prompt and no choice",
  source: 'Azure OpenAI, "Content streaming"',
  stream: { promptFilter: true },
};
export const allIndexZero: Manner = {
  about: "calls are whole, and all have index 0",
  source: "ollama 15457, 7881",
  calls: (call) => whole(call, { index: 0 }),
};
export const thoughtsApart: Manner = {
  about: "thoughts have a field `reasoning`, unless the effort is `none`",
  source: "ollama 14820, `openai/openai.go`",
  thoughts: ({ reasoning_effort: effort }) =>
    effort === "none"
      ? []
      : ["The caller", " asks."].map((reasoning) => ({ role: "assistant", content: "", reasoning })),
};
export const reasoningContent: Manner = {
  about: "thoughts have a field `reasoning_content`",
  source: "LM Studio and DeepSeek, their documentation",
  thoughts: () => ["The caller", " asks."].map((text) => ({ role: "assistant", reasoning_content: text })),
};
export const thoughtsInText: Manner = {
  about: "without a reasoning parser, thoughts are part of the answer, in `<think>`",
  source: 'vLLM, "Reasoning Outputs"',
  thoughts: () => ["<think>", "\nThe caller asks.\n", "</think>", "\n\n"].map((content) => ({ content })),
};
export const thoughtsAsPart: Manner = {
  about: "contents are lists of parts, thoughts among them",
  source: "litellm 16272",
  thoughts: () => [{ content: [{ type: "thinking", thinking: [{ type: "text", text: "The caller asks." }] }] }],
  delta: (delta) =>
    typeof delta["content"] === "string" ? { ...delta, content: [{ type: "text", text: delta["content"] }] } : delta,
};
export const idPerPiece: Manner = {
  about: "each piece of a call has another id",
  source: "vLLM 18412",
  calls: ({ name, argumentsJson, id }, index) => [
    { index, id: id ?? `chatcmpl-tool-${randomUUID()}`, type: "function", function: { name } },
    ...halves(argumentsJson).map((part) => ({
      index,
      id: `chatcmpl-tool-${randomUUID()}`,
      function: { arguments: part },
    })),
  ],
};
export const namelessPieces: Manner = {
  about: "later pieces of a call have `name: null`",
  source: "text-generation-inference 2794",
  calls: ({ name, argumentsJson, id }, index) => [
    { index, id: id ?? shortId(), type: "function", function: { name, arguments: "" } },
    ...halves(argumentsJson).map((part) => ({ index, type: "function", function: { name: null, arguments: part } })),
  ],
};
export const uncounted: Manner = {
  about: "tokens of streams are not counted",
  source: "lmstudio-bug-tracker 713",
  stream: { countsTokens: false },
};
export const objectArguments = (source: string): Manner => ({
  about: "arguments of a call are an object",
  source,
  calls: (call, index) => whole(call, { index }, parsed(call.argumentsJson)),
});
/** What a model has spoilt cannot be an object. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
export const argumentsTwiceEncoded: Manner = {
  about: "arguments of a call are encoded twice",
  source: "litellm 8313",
  calls: (call, index) => whole(call, { index }, JSON.stringify(call.argumentsJson)),
};
export const callWithoutList: Manner = {
  about: "`tool_calls` of a piece is one call, not a list",
  source: "text-generation-inference 2794",
  delta: (delta) =>
    Array.isArray(delta["tool_calls"]) && delta["tool_calls"].length === 1
      ? { ...delta, tool_calls: delta["tool_calls"][0] }
      : delta,
};
export const callWithoutIndex: Manner = {
  about: "calls have neither an index nor an id",
  source: "ollama 15457, 7881 and 14820",
  calls: ({ name, argumentsJson }) => [{ type: "function", function: { name, arguments: argumentsJson } }],
};
export const repeatedIds: Manner = {
  about: "ids of calls are the same in every answer (`tool_0_…`)",
  source: "ai-sdk-provider 160",
  calls: (call, index) => whole({ ...call, id: `tool_${index}_${call.name}` }, { index }),
};
export const legacyCall: Manner = {
  about: "a single call is a `function_call`",
  source: "OpenAI API reference, `function_call` (deprecated)",
  delta: (delta) => {
    const calls = delta["tool_calls"];
    const [call, ...more] = Array.isArray(calls) ? calls : [];
    return call?.index === 0 && more.length === 0
      ? { ...delta, tool_calls: undefined, function_call: call.function }
      : delta;
  },
};
export const callsInText: Manner = {
  about: "calls stand in the text, as the prompt has asked for them",
  source: "ollama 9680 (templates that prompt for calls); the chat templates of Hermes 2 Pro and Qwen 2.5",
  calls: (call) => whole(call, { index: 0 }),
  delta: (delta) => {
    const calls = delta["tool_calls"];
    const [call] = Array.isArray(calls) ? calls : [];
    if (call === undefined) return delta;
    const { name, arguments: args } = call.function;
    return { content: `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>` };
  },
  finish: () => "stop",
};
export const repeatedData: Manner = {
  about: "`data:` stands twice before each chunk",
  source: "openclaw PR 97474",
  stream: { space: " data: " },
};
export const stopAfterCalls: Manner = {
  about: "an answer with calls finishes with `stop`",
  source: "python-genai 2868",
  finish: (reason) => (reason === "tool_calls" ? "stop" : reason),
};
export const noFinish = (source: string): Manner => ({
  about: "a stream ends with `[DONE]` and no finish reason",
  source,
  finish: () => null,
});
export const noEndMark = (source: string): Manner => ({
  about: "a stream has no `[DONE]`",
  source,
  stream: { hasEndMark: false },
});
export const otherFinish = (names: Readonly<Record<string, string>>, source: string): Manner => ({
  about: `finish reasons have other names: ${Object.values(names)
    .map((name) => `\`${name}\``)
    .join(", ")}`,
  source,
  finish: (reason) => names[reason] ?? reason,
});
export const comments = (comment: string, source: string): Manner => ({
  about: `comments (\`${comment.trim()}\`) keep the connection busy`,
  source,
  stream: { comment },
});
export const noSpace: Manner = {
  about: "`data:` is followed by no space, and lines end with CR LF",
  source: 'WHATWG HTML, "Parsing an event stream"',
  stream: { space: "", lineEnd: "\r\n" },
};
export const wholeDocument: Manner = {
  about: "a request for a stream is answered with one JSON document",
  source: "unslothai 6570 and 9router 4122 (the same the other way round), `[DONE]` after it: 9router 3492",
  stream: { isWhole: true },
};
export const ownEvents: Manner = {
  about: "events with names of the server's own stand between those of the answer",
  source: "jan PR 8392",
  stream: { comment: 'event: tool.progress\ndata: {"tool":"search"}\n\n' },
};
