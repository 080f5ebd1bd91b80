/** Parameters, tools and sizes that servers refuse and OpenAI accepts, in the servers' own words. */
import type { CompletionRequest } from "../completion-request.ts";
import { inWords, refusal, unwrapped, when } from "./manner.ts";
import type { Manner } from "./manner.ts";

const tokensOf = ({ messages, tools = [] }: CompletionRequest): number =>
  JSON.stringify({ messages, tools }).length >> 2;
const schemaText = ({ tools = [] }: CompletionRequest): string =>
  JSON.stringify(tools.map((tool) => tool.function.parameters ?? {}));

export const oneSampling: Manner = {
  about: "`temperature` and `top_p` exclude each other",
  source: "NeatChat 72, CLIProxyAPI 193, bedrock-access-gateway 191",
  refuses: when(
    ({ temperature, top_p }) => temperature !== undefined && top_p !== undefined,
    inWords(400, "`temperature` and `top_p` cannot both be specified for this model. Please use only one."),
  ),
};
export const noStreamOptions = (source: string): Manner => ({
  about: "`stream_options` is not known",
  source,
  refuses: when(({ stream_options: options }) => options !== undefined, {
    status: 400,
    body: {
      detail: [
        {
          type: "extra_forbidden",
          loc: ["body", "stream_options"],
          msg: "Extra inputs are not permitted",
          input: { include_usage: true },
        },
      ],
    },
  }),
});
export const geminiSchemas: Manner = {
  about: "`additionalProperties`, `$schema`, `const` in a tool's schema are refused",
  source: "openswarm 24, zed 44875",
  refuses: (request) => {
    const name = /"(additionalProperties|\$schema|const)":/.exec(schemaText(request))?.[1];
    return name === undefined
      ? undefined
      : refusal(400, {
          code: 400,
          message: `Invalid JSON payload received. Unknown name "${name}" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
          status: "INVALID_ARGUMENT",
        });
  },
};
export const geminiEmptyObjects: Manner = {
  about: "a tool without parameters may not have a schema of an empty object",
  source: "pipecat-flows 110, agno 2112",
  refuses: when(
    (request) => schemaText(request).includes('"properties":{}'),
    refusal(400, {
      code: 400,
      message:
        "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type\n",
      status: "INVALID_ARGUMENT",
    }),
  ),
};
export const vllmEfforts: Manner = {
  about: "`reasoning_effort` is `low`, `medium` or `high`",
  source: "vLLM, `ChatCompletionRequest`; MaxKB 2912",
  refuses: ({ reasoning_effort: effort = "low" }) =>
    ["low", "medium", "high"].includes(effort)
      ? undefined
      : unwrapped(
          `[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': "Input should be 'low', 'medium' or 'high'", 'input': '${effort}'}]`,
        ),
};
export const smallWindow = (tokens: number): Manner => ({
  about: `a context of ${tokens} tokens; the refusal has \`n_ctx\``,
  source: "llama.cpp PR 15780, continue 9797",
  refuses: (request) =>
    tokensOf(request) <= tokens
      ? undefined
      : refusal(400, {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
          n_prompt_tokens: tokensOf(request),
          n_ctx: tokens,
        }),
});
export const vllmWindow = (tokens: number): Manner => ({
  about: `a context of ${tokens} tokens, of which the answer's limit is a part`,
  source: "vLLM's `maximum context length`",
  refuses: (request) => {
    const asked = request.max_tokens ?? 0;
    const count = tokensOf(request);
    return count + asked <= tokens
      ? undefined
      : inWords(
          400,
          `This model's maximum context length is ${tokens} tokens. However, you requested ${count + asked} tokens (${count} in the messages, ${asked} in the completion). Please reduce the length of the messages or completion.`,
          400,
        );
  },
});
export const newLimitName: Manner = {
  about: "reasoning models call the limit `max_completion_tokens`",
  source: "OpenAI's `unsupported_parameter`",
  refuses: when(
    ({ max_tokens: limit }) => limit !== undefined,
    refusal(400, {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      type: "invalid_request_error",
      param: "max_tokens",
      code: "unsupported_parameter",
    }),
  ),
};
export const fixedTemperature: Manner = {
  about: "reasoning models have a fixed `temperature`",
  source: "OpenAI's `unsupported_value`",
  refuses: when(
    ({ temperature }) => temperature !== undefined && temperature !== 1,
    refusal(400, {
      message:
        "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
      type: "invalid_request_error",
      param: "temperature",
      code: "unsupported_value",
    }),
  ),
};
