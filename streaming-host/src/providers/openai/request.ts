/** Converts our messages, tools and settings into the request for one chat completion. */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { ModelMessage, ModelRequest, ModelTool } from "@voice/provider-kit/ports/language-model";
import { reasoningOf } from "./reasoning.ts";
import type { ReasoningDefaults } from "./reasoning.ts";

export type RequestDialect = {
  readonly limitsByCompletionTokens: boolean;
  /** The service caches the prompts that it has read and finds them by a key. */
  readonly takesCacheKey: boolean;
  readonly reasoning: ReasoningDefaults;
};

export function toCompletionParams(
  request: ModelRequest,
  deploymentId: string,
  dialect: RequestDialect,
): ChatCompletionCreateParamsStreaming {
  const { temperature, topP } = request.settings;
  const { effort, verbosity, maxTokens } = reasoningOf(request.settings, deploymentId, dialect.reasoning);
  return {
    model: deploymentId,
    messages: request.messages.map((message) => toMessageParam(message)),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => toToolParam(tool)),
      ...(request.toolChoice !== undefined && { tool_choice: request.toolChoice }),
    }),
    // An agent's prompt and tools begin every request of all its conversations, so they are read once and cached.
    ...(dialect.takesCacheKey && { prompt_cache_key: `agent-${request.agent.name}` }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(verbosity !== undefined && { verbosity }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined &&
      (dialect.limitsByCompletionTokens ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens })),
  };
}

/** Half of a character (a text that was cut, or a client's) would have the service refuse the conversation from then on. */
function toMessageParam(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content.toWellFormed() };
    case "assistant": {
      const { toolCalls } = message;
      const content = message.content.toWellFormed();
      if (toolCalls === undefined || toolCalls.length === 0) return { role: "assistant", content };
      return {
        role: "assistant",
        content: content === "" ? null : content,
        tool_calls: toolCalls.map(({ id, name, argumentsJson }) => ({
          id,
          type: "function" as const,
          function: { name, arguments: isObject(argumentsJson) ? argumentsJson : "{}" },
        })),
      };
    }
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content.toWellFormed() };
    default:
      return message satisfies never;
  }
}

/**
 * vLLM, llama.cpp and Ollama parse the arguments of earlier calls, and refuse the whole conversation from then on for
 * one call that the model spoilt. What was wrong with it stands in the call's result.
 */
function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function toToolParam({ name, description, parameters }: ModelTool): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters } };
}
