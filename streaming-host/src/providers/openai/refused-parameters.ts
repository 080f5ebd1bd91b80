/**
 * Models differ in the parameters that they accept: reasoning models refuse a temperature, and the token limit has an
 * old name and a new one. The service says which parameter it refuses; from then on that one is omitted or renamed.
 */
import { APIError } from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";

const adjustable = [
  "temperature",
  "top_p",
  "max_tokens",
  "max_completion_tokens",
  "reasoning_effort",
  "verbosity",
  "prompt_cache_key",
] as const;
/** `reasoning`: the model accepts tools only if it does not reason. */
export type AdjustableParameter = (typeof adjustable)[number] | "reasoning";

const refusalCodes = new Set(["unsupported_parameter", "unsupported_value"]);

export function refusedParameter(error: unknown): AdjustableParameter | undefined {
  if (!(error instanceof APIError) || error.status !== 400) return undefined;
  // This refusal has no code and is recognised only by its parameter and its advice.
  if (error.param === "reasoning_effort" && /reasoning_effort to 'none'/.test(error.message)) return "reasoning";
  if (!refusalCodes.has(error.code ?? "")) return undefined;
  return adjustable.find((name) => name === error.param);
}

export function withoutRefused(
  params: ChatCompletionCreateParamsStreaming,
  refused: ReadonlySet<AdjustableParameter>,
): ChatCompletionCreateParamsStreaming {
  if (refused.size === 0) return params;
  const { temperature, top_p, max_tokens, max_completion_tokens, ...others } = params;
  const { reasoning_effort, verbosity, prompt_cache_key, ...rest } = others;
  const limit = max_tokens ?? max_completion_tokens;
  const limitName = (["max_tokens", "max_completion_tokens"] as const).find((name) => !refused.has(name));
  return {
    ...rest,
    ...(temperature != null && !refused.has("temperature") && { temperature }),
    ...(top_p != null && !refused.has("top_p") && { top_p }),
    ...(refused.has("reasoning") && { reasoning_effort: "none" as const }),
    ...(reasoning_effort != null &&
      !refused.has("reasoning") &&
      !refused.has("reasoning_effort") && { reasoning_effort }),
    ...(verbosity != null && !refused.has("verbosity") && { verbosity }),
    ...(prompt_cache_key !== undefined && !refused.has("prompt_cache_key") && { prompt_cache_key }),
    ...(limit != null && limitName !== undefined && { [limitName]: limit }),
  };
}
