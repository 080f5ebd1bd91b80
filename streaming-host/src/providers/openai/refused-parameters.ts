/**
 * Models differ in the parameters that they accept: reasoning models refuse a temperature, and the token limit has an
 * old name and a new one. The service says which parameter it refuses, or which value of it; from then on that one is
 * omitted or renamed. OpenAI says it in `param`, other servers in a sentence.
 */
import { APIError } from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { RefusedValues } from "../refused-values.ts";
import { refusesOrder } from "./strict-order.ts";

/** Agents choose their values, so that one agent's may be refused and another's not. */
const chosenByAgents = [
  "temperature",
  "top_p",
  "max_tokens",
  "max_completion_tokens",
  "reasoning_effort",
  "verbosity",
] as const;
const adjustable = [...chosenByAgents, "prompt_cache_key", "stream_options"] as const;
/**
 * `reasoning`: the model accepts tools only if it does not reason. `order`: its template accepts messages only in a
 * strict order.
 */
export type Adjustment = (typeof adjustable)[number] | "reasoning" | "order";

const refusalCodes = new Set(["unsupported_parameter", "unsupported_value"]);
/** Of pydantic (vLLM, Mistral), LiteLLM, llama.cpp and others, where there is neither a code nor a parameter. */
const refusalWords =
  /not permitted|not support|unsupported|unrecognized|unknown|unexpected|input should be|extra_forbidden/i;
/** Ollama's words for an effort, which it calls otherwise. */
const refusedThinking = /does not support thinking|think value/i;
/** A parameter that the server or the model does not have. */
const unknownWords = /not permitted|unrecognized|unknown|unexpected|extra_forbidden|does not support thinking/i;

export function refusedParameter(error: unknown): Adjustment | undefined {
  if (!(error instanceof APIError)) return undefined;
  if (refusesOrder(error)) return "order";
  if (error.status !== 400 && error.status !== 422) return undefined;
  // This refusal has no code and is recognised only by its parameter and its advice.
  if (error.param === "reasoning_effort" && /reasoning_effort to 'none'/.test(error.message)) return "reasoning";
  if (refusalCodes.has(error.code ?? "")) return adjustable.find((name) => name === error.param);
  if (refusedThinking.test(error.message)) return "reasoning_effort";
  if (error.param != null || !refusalWords.test(error.message)) return undefined;
  return adjustable.find((name) => new RegExp(`\\b${name}\\b`).test(error.message));
}

/** `params`: as they were sent. */
export function rememberRefused(
  parameter: Adjustment,
  error: unknown,
  params: ChatCompletionCreateParamsStreaming,
  refused: RefusedValues<Adjustment>,
): void {
  if (parameter === "reasoning" || parameter === "order") return refused.addName(parameter);
  const isChosen = chosenByAgents.some((name) => name === parameter);
  const isUnknown =
    error instanceof APIError && (error.code === "unsupported_parameter" || unknownWords.test(error.message));
  if (isUnknown || !isChosen) return refused.addName(parameter);
  return refused.add(parameter, params[parameter]);
}

export function withoutRefused(
  params: ChatCompletionCreateParamsStreaming,
  refused: RefusedValues<Adjustment>,
): ChatCompletionCreateParamsStreaming {
  const { temperature, top_p, max_tokens, max_completion_tokens, ...others } = params;
  const { reasoning_effort, verbosity, prompt_cache_key, stream_options, ...rest } = others;
  const limit = max_tokens ?? max_completion_tokens;
  const mustNotReason = refused.has("reasoning", undefined);
  const limitName = (["max_tokens", "max_completion_tokens"] as const).find((name) => !refused.has(name, limit));
  return {
    ...rest,
    ...(temperature != null && !refused.has("temperature", temperature) && { temperature }),
    ...(top_p != null && !refused.has("top_p", top_p) && { top_p }),
    ...(mustNotReason && { reasoning_effort: "none" as const }),
    ...(reasoning_effort != null &&
      !mustNotReason &&
      !refused.has("reasoning_effort", reasoning_effort) && { reasoning_effort }),
    ...(verbosity != null && !refused.has("verbosity", verbosity) && { verbosity }),
    ...(prompt_cache_key !== undefined && !refused.has("prompt_cache_key", prompt_cache_key) && { prompt_cache_key }),
    ...(stream_options != null && !refused.has("stream_options", stream_options) && { stream_options }),
    ...(limit != null && limitName !== undefined && { [limitName]: limit }),
  };
}
