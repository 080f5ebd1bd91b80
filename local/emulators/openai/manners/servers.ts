/** The matrix of manners: whoever meets a new one adds it to a row, and the contract suite of the port runs over it. */
import * as answering from "./answering.ts";
import { refusal, unwrapped } from "./manner.ts";
import type { ServerRow } from "./manner.ts";
import * as parameters from "./refusing-parameters.ts";
import * as refusing from "./refusing.ts";

export const servers = [
  { name: "openai", title: "OpenAI", manners: [answering.promptFilter, refusing.namesChecked] },
  {
    name: "openai-reasoning",
    title: "OpenAI's reasoning models",
    manners: [refusing.namesChecked, parameters.newLimitName, parameters.fixedTemperature],
  },
  {
    name: "azure-openai",
    title: "Azure OpenAI",
    manners: [answering.promptFilter, refusing.namesChecked, parameters.newLimitName],
  },
  {
    name: "claude",
    title: "Claude through gateways",
    manners: [
      parameters.oneSampling,
      refusing.callerLast,
      refusing.toolsBesideCalls,
      answering.otherFinish(
        { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use", content_filter: "refusal" },
        "cherry-studio PR 16079, docs of Claude's `stop_reason`",
      ),
    ],
  },
  {
    name: "gemini",
    title: "Gemini through gateways",
    manners: [
      parameters.geminiSchemas,
      parameters.geminiEmptyObjects,
      answering.repeatedIds,
      answering.stopAfterCalls,
      answering.otherFinish(
        { length: "MAX_TOKENS", content_filter: "content_filter: PROHIBITED_CONTENT" },
        "goclaw 930, litellm 16651",
      ),
    ],
  },
  {
    name: "mistral",
    title: "Mistral",
    manners: [
      refusing.mistralLastRole,
      refusing.noUserAfterTool,
      refusing.shortIds,
      answering.thoughtsAsPart,
      answering.otherFinish({ length: "model_length" }, "Mistral API reference, `finish_reason`"),
    ],
  },
  {
    name: "vllm",
    title: "vLLM",
    manners: [
      parameters.vllmEfforts,
      refusing.vllmSpoiltCalls,
      refusing.systemFirst(400, "vLLM 41114 (Qwen 3.5 and later)"),
      answering.idPerPiece,
      answering.thoughtsInText,
    ],
  },
  {
    name: "vllm-llama",
    title: "vLLM with Llama's template",
    manners: [
      refusing.singleCalls,
      parameters.vllmWindow(1_600),
      parameters.noStreamOptions("vLLM 6631, gpustack 429"),
    ],
  },
  {
    name: "vllm-gemma",
    title: "vLLM with Gemma's template",
    manners: [
      refusing.noSystemRole,
      refusing.strictTurns(
        unwrapped("Conversation roles must alternate user/assistant/user/assistant/..."),
        "vLLM 6862, gpt4all 3282",
      ),
    ],
  },
  {
    name: "ollama",
    title: "Ollama",
    manners: [
      answering.allIndexZero,
      answering.thoughtsApart,
      refusing.ollamaSpoiltCalls,
      refusing.systemFirst(500, "ollama 17774 (Qwen's renderer)"),
    ],
  },
  {
    name: "ollama-gemma",
    title: "Ollama with a model that has no tools",
    manners: [refusing.noTools, answering.callsInText],
  },
  {
    name: "llama-cpp",
    title: "llama.cpp",
    manners: [
      parameters.smallWindow(1_600),
      refusing.strictTurns(
        refusal(500, {
          code: 500,
          message: "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...",
          type: "server_error",
        }),
        "llama.cpp's template errors, lmstudio-bug-tracker 2218",
      ),
      answering.objectArguments("llama.cpp 20198"),
      answering.noEndMark("ik_llama.cpp 467"),
    ],
  },
  {
    name: "tgi",
    title: "Text Generation Inference",
    manners: [
      answering.objectArguments("text-generation-inference 2136, 2461"),
      answering.callWithoutList,
      answering.noEndMark("text-generation-inference PR 2221"),
      answering.otherFinish({ stop: "eos_token" }, "text-generation-inference, `FinishReason`"),
    ],
  },
  {
    name: "nim",
    title: "NVIDIA NIM",
    manners: [answering.noFinish("pi 6226")],
  },
  {
    name: "lm-studio",
    title: "LM Studio",
    manners: [
      answering.namelessPieces,
      answering.reasoningContent,
      answering.uncounted,
      refusing.strictTurns(
        refusal(
          400,
          'Error rendering prompt with jinja template: "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results."',
        ),
        "lmstudio-bug-tracker 2218, 535 (errors are texts)",
      ),
    ],
  },
  {
    name: "litellm",
    title: "LiteLLM",
    manners: [
      answering.argumentsTwiceEncoded,
      answering.noFinish("vercel/ai 19165"),
      parameters.oneSampling,
      refusing.toolsBesideCalls,
    ],
  },
  {
    name: "openrouter",
    title: "OpenRouter",
    manners: [
      answering.comments(": OPENROUTER PROCESSING\n\n", "openai-go 227"),
      answering.repeatedIds,
      refusing.callerLast,
    ],
  },
  {
    name: "gateway",
    title: "one-api, new-api and other relays",
    manners: [refusing.emptyContent, answering.noSpace, answering.callWithoutIndex],
  },
  {
    name: "silent-gateway",
    title: "Relays that do not say why",
    manners: [refusing.unexplained, answering.wholeDocument],
  },
  {
    name: "rewriting-gateway",
    title: "Relays that write the stream anew",
    manners: [
      answering.comments("data: : OPENROUTER PROCESSING\n\n", "mnfst/llm-gateway 2053"),
      answering.repeatedData,
    ],
  },
  { name: "fireworks", title: "Fireworks", manners: [parameters.noStreamOptions("Flowise 2866")] },
  { name: "agent-server", title: "Servers of agents (Hermes)", manners: [answering.ownEvents] },
  { name: "deepseek", title: "DeepSeek", manners: [answering.reasoningContent] },
  { name: "before-tools", title: "Servers that know functions only", manners: [answering.legacyCall] },
  {
    name: "mlx",
    title: "mlx_lm",
    manners: [refusing.template404, answering.otherFinish({ tool_calls: "tool_call" }, "mlx-lm PR 782")],
  },
] as const satisfies readonly ServerRow[];
