/** Conversations that servers refuse and OpenAI accepts: order, roles, calls and their ids, in the servers' own words. */
import { parseJson } from "@voice/shared/platform/parse-json";
import type { CompletionRequest } from "../completion-request.ts";
import { callsIn, inWords, refusal, unwrapped, when } from "./manner.ts";
import type { Manner, Refusal } from "./manner.ts";

type Messages = CompletionRequest["messages"];

const hasLateSystemMessage = ({ messages }: CompletionRequest): boolean =>
  messages.some(({ role }, place) => role === "system" && place > 0);

function alternates({ messages }: CompletionRequest): boolean {
  const spoken = messages
    .slice(messages[0]?.role === "system" ? 1 : 0)
    .filter(
      (message) => message.role !== "tool" && !(message.role === "assistant" && message.tool_calls !== undefined),
    );
  return spoken.every(({ role }, place) => role === (place % 2 === 0 ? "user" : "assistant"));
}

const hasSpoiltCall = ({ messages }: CompletionRequest): boolean =>
  callsIn(messages).some(({ function: { arguments: json } }) => parseJson(json) === undefined);

const lastSpoken = (messages: Messages) => messages.findLast(({ role }) => role !== "system");
const callsAtOnce = ({ messages }: CompletionRequest): boolean =>
  messages.some((message) => message.role === "assistant" && (message.tool_calls?.length ?? 0) > 1);
export const namesChecked: Manner = {
  about: "names of earlier calls have to match `^[a-zA-Z0-9_-]{1,64}$`",
  source: "opencode PR 48750, craft-agents 449",
  refuses: ({ messages }) => {
    const place = messages.findIndex((message) =>
      callsIn([message]).some((call) => !/^[\w-]{1,64}$/.test(call.function.name)),
    );
    return place === -1
      ? undefined
      : refusal(400, {
          message: `Invalid 'messages[${place}].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
          type: "invalid_request_error",
          param: `messages[${place}].tool_calls[0].function.name`,
          code: "invalid_value",
        });
  },
};
export const callerLast: Manner = {
  about: "a conversation may not end with the agent's words",
  source: "magic-context 511, llm-exe 503",
  refuses: when(
    ({ messages }) => lastSpoken(messages)?.role === "assistant",
    inWords(
      400,
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    ),
  ),
};
export const mistralLastRole: Manner = {
  about: "the last message is the caller's or a tool's",
  source: "rig 708, opencode 19115",
  refuses: ({ messages }) => {
    const role = messages.at(-1)?.role;
    return role === "user" || role === "tool"
      ? undefined
      : unwrapped(
          `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${role}`,
          "invalid_request_message_order",
          "3230",
        );
  },
};
export const noUserAfterTool: Manner = {
  about: "the caller may not speak directly after a tool's result",
  source: "avante.nvim PR 2695, pi-neuralwatt 12",
  refuses: when(
    ({ messages }) => messages.some(({ role }, place) => role === "user" && messages[place - 1]?.role === "tool"),
    unwrapped("Unexpected role 'user' after role 'tool'", "invalid_request_message_order", "3230"),
  ),
};
export const shortIds: Manner = {
  about: "ids of calls have nine letters and digits",
  source: "opencode 1680, eca 233",
  refuses: ({ messages }) => {
    const id = callsIn(messages).find((call) => !/^[a-zA-Z\d]{9}$/.test(call.id))?.id;
    return id === undefined
      ? undefined
      : unwrapped(
          `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
          "invalid_function_call",
          "3280",
        );
  },
};
export const emptyContent: Manner = {
  about: "a message with calls and without words is refused",
  source: "hermes-agent 31583, vercel/ai PR 14618",
  refuses: when(
    ({ messages }) => messages.some((message) => (message.content ?? "").trim() === ""),
    inWords(400, "messages: text content blocks must be non-empty"),
  ),
};
export const toolsBesideCalls: Manner = {
  about: "calls in the conversation need tools beside it",
  source: "onyx 7842, vercel/ai 7528",
  refuses: when(
    ({ messages, tools }) => callsIn(messages).length > 0 && tools === undefined,
    inWords(
      400,
      "litellm.BadRequestError: BedrockException - The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    ),
  ),
};
export const singleCalls: Manner = {
  about: "a message has one call",
  source: "vLLM 25108, llm-memory-api PR 263",
  refuses: when(callsAtOnce, unwrapped("This model only supports single tool-calls at once!")),
};
const spoilt = (message: string) => when(hasSpoiltCall, inWords(400, message));
export const vllmSpoiltCalls: Manner = {
  about: "arguments of earlier calls have to be JSON",
  source: "vLLM 43995",
  refuses: spoilt("Expecting ',' delimiter: line 1 column 54 (char 53)"),
};
export const ollamaSpoiltCalls: Manner = {
  about: "arguments of earlier calls have to be JSON",
  source: "Ollama's `invalid tool call arguments`",
  refuses: spoilt("invalid tool call arguments"),
};
export const systemFirst = (status: number, source: string): Manner => ({
  about: `one system message, at the beginning (${status})`,
  source,
  refuses: when(hasLateSystemMessage, inWords(status, "System message must be at the beginning.")),
});
export const strictTurns = (answer: Refusal, source: string): Manner => ({
  about: "the caller and the agent speak in turns, the caller first",
  source,
  refuses: when((request) => !alternates(request), answer),
});
export const noSystemRole: Manner = {
  about: "no system role (Gemma 2)",
  source: "sglang 1342, chat-ui 1386",
  refuses: when(
    ({ messages }) => messages.some(({ role }) => role === "system"),
    unwrapped("System role not supported"),
  ),
};
export const noTools: Manner = {
  about: "a model without tools refuses every request that has some",
  source: "picobot 6, ollama 5793 and 9680",
  refuses: when(
    ({ tools }) => tools !== undefined,
    refusal(400, {
      message: "registry.ollama.ai/library/gemma3:4b does not support tools",
      type: "api_error",
      param: null,
      code: null,
    }),
  ),
};
export const template404: Manner = {
  about: "an exception of a chat template is 404",
  source: "mlx-lm 1375",
  refuses: when(
    (request) => !alternates(request),
    refusal(404, "Conversation roles must alternate user/assistant/user/assistant/..."),
  ),
};
export const unexplained: Manner = {
  about: "a refusal says nothing but that the request is invalid",
  source: "one-api and new-api in their strict modes, hermes-agent 31583",
  refuses: when(
    (request) => callsAtOnce(request) || hasLateSystemMessage(request),
    refusal(400, { message: "Provided request is invalid", type: "bad_request", param: null, code: null }),
  ),
};
