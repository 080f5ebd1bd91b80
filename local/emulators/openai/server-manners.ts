/**
 * How servers that are not OpenAI speak its protocol: what each leaves out, does otherwise and refuses, with models that
 * think before they answer and chat templates that are strict. Sources: docs/vendors/openai.md.
 */
import { randomUUID } from "node:crypto";
import type { AnsweredToolCall } from "./answer.ts";
import type { CompletionRequest } from "./completion-request.ts";

export const serverNames = ["openai", "ollama", "vllm", "lm-studio"] as const;
export type ServerName = (typeof serverNames)[number];

export type Refusal = { readonly status: number; readonly body: object };

export interface ServerManner {
  /** Azure sends its verdict on the prompt first. */
  readonly promptFilter: boolean;
  readonly countsTokens: boolean;
  /** The pieces in which a call is sent. */
  toolCallPieces(call: AnsweredToolCall, index: number): readonly object[];
  /** What is sent before the answer, for the request's effort. */
  thoughts(request: CompletionRequest): readonly object[];
  /** What it says to a request that OpenAI would accept. */
  complaintAbout(request: CompletionRequest): Refusal | undefined;
}

const halves = (text: string): readonly string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

const openai: ServerManner = {
  promptFilter: true,
  countsTokens: true,
  toolCallPieces: ({ name, argumentsJson, id }, index) => [
    { index, id: id ?? `call_${index}_${name}`, type: "function", function: { name, arguments: "" } },
    ...halves(argumentsJson).map((part) => ({ index, function: { arguments: part } })),
  ],
  thoughts: () => [],
  complaintAbout: () => undefined,
};

/** Calls are whole, and all have index 0; thoughts have a field of their own. */
const ollama: ServerManner = {
  promptFilter: false,
  countsTokens: true,
  toolCallPieces: ({ name, argumentsJson, id }) => [
    { id: id ?? shortId(), index: 0, type: "function", function: { name, arguments: argumentsJson } },
  ],
  thoughts: ({ reasoning_effort: effort }) =>
    effort === "none"
      ? []
      : ["The caller", " asks."].map((reasoning) => ({ role: "assistant", content: "", reasoning })),
  complaintAbout(request) {
    const refuse = (status: number, type: string, message: string): Refusal => ({
      status,
      body: { error: { message, type, param: null, code: null } },
    });
    if (hasSpoiltCall(request)) return refuse(400, "invalid_request_error", "invalid tool call arguments");
    // Qwen 3.8's renderer.
    return hasLateSystemMessage(request)
      ? refuse(500, "api_error", "system message must be at the beginning")
      : undefined;
  },
};

/** Without a reasoning parser, thoughts are part of the answer. Each piece of a call has had an id of its own. */
const vllm: ServerManner = {
  promptFilter: false,
  countsTokens: true,
  toolCallPieces: ({ name, argumentsJson, id }, index) => [
    { index, id: id ?? `chatcmpl-tool-${randomUUID()}`, type: "function", function: { name } },
    ...halves(argumentsJson).map((part) => ({
      index,
      id: `chatcmpl-tool-${randomUUID()}`,
      function: { arguments: part },
    })),
  ],
  thoughts: () => ["<think>", "\nThe caller asks.\n", "</think>", "\n\n"].map((content) => ({ content })),
  complaintAbout(request) {
    const refuse = (message: string): Refusal => ({
      status: 400,
      body: { object: "error", message, type: "BadRequestError", param: null, code: 400 },
    });
    const { reasoning_effort: effort = "low" } = request;
    if (!["low", "medium", "high"].includes(effort))
      return refuse(
        `[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': "Input should be 'low', 'medium' or 'high'", 'input': '${effort}'}]`,
      );
    if (hasSpoiltCall(request)) return refuse("Expecting ',' delimiter: line 1 column 54 (char 53)");
    // The template of Qwen 3.5 and 3.6.
    return hasLateSystemMessage(request) ? refuse("System message must be at the beginning.") : undefined;
  },
};

/** Does not count what it streams, and its errors are texts. */
const lmStudio: ServerManner = {
  promptFilter: false,
  countsTokens: false,
  toolCallPieces: ({ name, argumentsJson, id }, index) => [
    { index, id: id ?? shortId(), type: "function", function: { name, arguments: "" } },
    ...halves(argumentsJson).map((part) => ({ index, type: "function", function: { name: null, arguments: part } })),
  ],
  thoughts: () => ["The caller", " asks."].map((text) => ({ role: "assistant", reasoning_content: text })),
  complaintAbout: (request) =>
    // The template of Ministral and Devstral.
    alternates(request)
      ? undefined
      : {
          status: 400,
          body: {
            error:
              'Error rendering prompt with jinja template: "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results."',
          },
        },
};

export const serverManners: Readonly<Record<ServerName, ServerManner>> = {
  openai,
  ollama,
  vllm,
  "lm-studio": lmStudio,
};

const shortId = (): string => `call_${randomUUID().slice(0, 8)}`;

function hasLateSystemMessage({ messages }: CompletionRequest): boolean {
  return messages.some(({ role }, place) => role === "system" && place > 0);
}

function hasSpoiltCall({ messages }: CompletionRequest): boolean {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  return calls.some(({ function: { arguments: json } }) => {
    try {
      JSON.parse(json);
      return false;
    } catch {
      return true;
    }
  });
}

function alternates({ messages }: CompletionRequest): boolean {
  const spoken = messages
    .slice(messages[0]?.role === "system" ? 1 : 0)
    .filter(
      (message) => message.role !== "tool" && !(message.role === "assistant" && message.tool_calls !== undefined),
    );
  return spoken.every(({ role }, place) => role === (place % 2 === 0 ? "user" : "assistant"));
}
