/** Converts our messages, tools and settings into the request for one chat completion. */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ModelMessage, ModelRequest, ModelTool } from "@voice/provider-kit/ports/language-model";
import { parseJson } from "@voice/shared/platform/parse-json";
import { reasoningOf } from "./reasoning.ts";
import type { ReasoningDefaults } from "./reasoning.ts";
import { wordless } from "./repair/wire-request.ts";
import type { WireMessage, WireRequest, WireTool } from "./repair/wire-request.ts";

export type RequestDialect = {
  readonly limitsByCompletionTokens: boolean;
  /** The service caches prompts and finds them by a key. */
  readonly takesCacheKey: boolean;
  readonly reasoning: ReasoningDefaults;
};

export function toCompletionParams(request: ModelRequest, deploymentId: string, dialect: RequestDialect): WireRequest {
  const { temperature, topP } = request.settings;
  const { effort, verbosity, maxTokens } = reasoningOf(request.settings, deploymentId, dialect.reasoning);
  const parameters = {
    stream_options: { include_usage: true },
    // An agent's prompt and tools are at the beginning of every request in all its conversations, so they are processed once and cached.
    ...(dialect.takesCacheKey && { prompt_cache_key: `agent-${request.agent.name}` }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(verbosity !== undefined && { verbosity }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(request.answer !== undefined && {
      response_format: { type: "json_schema" as const, json_schema: { ...request.answer, strict: true } },
    }),
    ...(maxTokens !== undefined &&
      (dialect.limitsByCompletionTokens ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens })),
  } satisfies Partial<ChatCompletionCreateParamsStreaming>;
  return {
    model: deploymentId,
    messages: request.messages.flatMap(toWireMessages),
    stream: true,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(toWireTool),
      ...(request.toolChoice !== undefined && { tool_choice: request.toolChoice }),
    }),
    ...parameters,
  };
}

/** Half a surrogate pair (from a text that was cut, or from a client) would make the service reject the conversation from then on. */
function toWireMessages(message: ModelMessage): readonly WireMessage[] {
  const content = message.content.toWellFormed();
  const isEmpty = content.trim() === "";
  switch (message.role) {
    case "system":
      return isEmpty ? [] : [{ role: "system", content }];
    case "user":
      return [{ role: "user", content: isEmpty ? wordless : content }];
    case "assistant": {
      const { toolCalls = [] } = message;
      if (toolCalls.length === 0) return isEmpty ? [] : [{ role: "assistant", content }];
      return [
        {
          role: "assistant",
          content: isEmpty ? null : content,
          // vLLM, llama.cpp and Ollama parse the arguments of earlier calls, and because of one malformed call they would reject the whole
          // conversation from then on. The call's result says what was wrong with it.
          tool_calls: toolCalls.map(({ id, name, argumentsJson }) => ({
            id,
            type: "function" as const,
            function: {
              name: acceptedName(name),
              arguments: isPlainObject(parseJson(argumentsJson)) ? argumentsJson : "{}",
            },
          })),
        },
      ];
    }
    case "tool":
      return [{ role: "tool", tool_call_id: message.toolCallId, content: isEmpty ? "{}" : content }];
    default:
      return message satisfies never;
  }
}

/**
 * A model may call a tool that does not exist (`multi_tool_use.parallel`). OpenAI and Bedrock check the names of earlier calls, and would
 * reject the conversation from then on because of an invented one.
 */
function acceptedName(name: string): string {
  const accepted = name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
  return accepted === "" ? "unknown" : accepted;
}

function toWireTool({ name, description, parameters }: ModelTool): WireTool {
  return { type: "function", function: { name, description, parameters } };
}
