/** Turns the chunks of one streamed completion into our events. Pure: one instance reads one answer. */
import { explainedError } from "@voice/shared/platform/errors";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ModelEvent, ModelUsage } from "@voice/provider-kit/ports/language-model";
import { ToolCallPieces } from "./tool-call-pieces.ts";

type FinishReason = Extract<ModelEvent, { type: "finished" }>["reason"];

export class CompletionAssembler {
  readonly #calls: ToolCallPieces;
  #hasCalled = false;
  #finish: FinishReason | undefined;
  #usage: ModelUsage | undefined;

  /** `usedIds`: of the conversation's earlier tool calls. */
  constructor(usedIds: Iterable<string> = []) {
    this.#calls = new ToolCallPieces(usedIds);
  }

  accept(chunk: ChatCompletionChunk): ModelEvent[] {
    this.#usage = usageOf(chunk) ?? this.#usage;
    // Azure's first chunk (prompt filter results) and every server's last (usage) have no choice.
    const choice = chunk.choices?.[0];
    if (choice === undefined) return [];
    const events: ModelEvent[] = [];
    // A refusal is treated as an answer, because the caller has to hear it. Some servers leave out what is empty.
    const text = choice.delta?.content ?? choice.delta?.refusal;
    if (text) events.push({ type: "text-delta", text });
    for (const piece of choice.delta?.tool_calls ?? []) this.#calls.accept(piece);
    if (choice.finish_reason) {
      // Ollama has finished once for each call.
      for (const call of this.#calls.take()) events.push({ type: "tool-call", call });
      this.#hasCalled ||= events.some(({ type }) => type === "tool-call");
      this.#finish = toFinishReason(choice.finish_reason, this.#hasCalled);
    }
    return events;
  }

  /** Called at the end of the stream. Throws if the stream ended before the model was finished. */
  end(): ModelEvent {
    if (this.#finish === undefined) {
      throw explainedError("upstream_unavailable", "the language model's stream ended before its answer did");
    }
    return {
      type: "finished",
      reason: this.#finish,
      ...(this.#usage !== undefined && { usage: this.#usage }),
    };
  }

  /** The answer is complete even if what should follow it (usage, the end marker) is missing. */
  get isAnswerComplete(): boolean {
    return this.#finish !== undefined;
  }
}

/** LiteLLM sends an empty usage with each chunk. */
function usageOf({ usage, model }: ChatCompletionChunk): ModelUsage | undefined {
  if (!Number.isFinite(usage?.prompt_tokens) || !Number.isFinite(usage?.completion_tokens)) return undefined;
  const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = usage ?? {};
  const cachedTokens = usage?.prompt_tokens_details?.cached_tokens;
  const reasoningTokens = usage?.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens,
    outputTokens,
    ...(cachedTokens != null && { cachedTokens }),
    ...(reasoningTokens != null && { reasoningTokens }),
    ...(model !== undefined && model !== "" && { model }),
  };
}

function toFinishReason(reason: string, hasCalls: boolean): FinishReason {
  if (reason === "length") return "length";
  if (reason === "content_filter") return "content-filter";
  // Several compatible servers report "stop" after tool calls.
  return hasCalls ? "tool-calls" : "stop";
}
