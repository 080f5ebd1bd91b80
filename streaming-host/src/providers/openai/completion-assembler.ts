/** Turns the chunks of one response into our events. Pure: one instance reads one response. */
import { explainedError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelEvent, ModelUsage } from "@voice/provider-kit/ports/language-model";
import { readChunk, wordsIn } from "./completion-chunk.ts";
import type { CompletionChunk, SaidPiece } from "./completion-chunk.ts";
import { isFilterReason } from "./filter-reasons.ts";
import { ToolCallPieces } from "./tool-call-pieces.ts";

type FinishReason = Extract<ModelEvent, { type: "finished" }>["reason"];

export class CompletionAssembler {
  readonly #calls: ToolCallPieces;
  #hasCalled = false;
  #text = "";
  #length = 0;
  #finish: FinishReason | undefined;
  #usage: ModelUsage | undefined;

  /** `usedIds`: the ids of the conversation's earlier tool calls. */
  constructor(usedIds: Iterable<string> = []) {
    this.#calls = new ToolCallPieces(usedIds);
  }

  /** `wire`: a chunk, or a whole response, as the server sent it. */
  accept(wire: unknown): ModelEvent[] {
    const chunk = readChunk(wire);
    this.#usage = usageOf(chunk) ?? this.#usage;
    // Azure's first chunk (prompt filter results) and every server's last (usage) have no choice. If there are several, the first counts.
    const choice = chunk.choices?.find(({ index = 0 }) => Number(index) === 0);
    if (choice === undefined) return [];
    const events: ModelEvent[] = [];
    this.#read(choice.delta ?? {}, choice.text ?? "", events);
    // A whole response, which some servers send in addition after its chunks.
    if (choice.message != null && !this.#hasCalled && !this.#calls.hasAny)
      this.#read(choice.message, "", events, this.#length > 0);
    if (choice.finish_reason) {
      // Ollama reports a finish reason after each call.
      this.#take(this.#calls.take(), events);
      this.#finish = this.#reasonOf(choice.finish_reason);
    }
    return events;
  }

  /**
   * The server has marked the end of its response. Several servers never send a reason: then text or whole calls are a complete response,
   * and nothing at all is an empty one.
   */
  complete(): ModelEvent[] {
    const events: ModelEvent[] = [];
    const calls = this.#calls.take();
    // A server may send the reason before its calls.
    if (this.#finish !== undefined && this.#finish !== "stop" && this.#finish !== "tool-calls") return events;
    const whole = calls.filter(({ argumentsJson }) => parseJson(argumentsJson) !== undefined);
    if (whole.length < calls.length) return events;
    this.#take(whole, events);
    this.#finish = this.#hasCalled ? "tool-calls" : "stop";
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

  /** The response is complete even if what should follow it (usage, the end marker) is missing. */
  get isAnswerComplete(): boolean {
    return this.#finish !== undefined;
  }

  #read(said: SaidPiece, text: string, events: ModelEvent[], wasSaid = false): void {
    // A refusal is treated as text, because the caller has to hear it. Some servers leave out empty fields.
    if (!wasSaid) this.#say(wordsIn(said.content) || (said.refusal ?? text), events);
    for (const piece of [...(said.tool_calls ?? []), ...[said.function_call ?? []].flat()]) this.#calls.accept(piece);
  }

  #say(text: string, events: ModelEvent[]): void {
    if (text === "") return;
    this.#length += text.length;
    this.#text = `${this.#text}${text}`.slice(-longestEnd);
    events.push({ type: "text-delta", text });
  }

  #take(calls: readonly ToolCall[], events: ModelEvent[]): void {
    for (const call of calls) events.push({ type: "tool-call", call });
    this.#hasCalled ||= calls.length > 0;
  }

  #reasonOf(reason: string): FinishReason {
    if (isFilterReason(reason)) return "content-filter";
    // Several compatible servers report "stop" after tool calls.
    if (this.#hasCalled) return isLength(reason) ? "length" : "tool-calls";
    if (isLength(reason)) return "length";
    // MODEL-1: an unknown reason counts as a cut, unless the text looks complete.
    return isUsual(reason) || isWhole(this.#text) ? "stop" : "length";
  }
}

/** The longest end of a text that can hold its last punctuation mark and the quotation marks after it. */
const longestEnd = 16;

/** `length`, `max_tokens`, `MAX_TOKENS`, Mistral's `model_length`, `max_output_tokens`. */
function isLength(reason: string): boolean {
  return /length|max.*tokens/i.test(reason);
}

/** `stop`, `STOP`, `stop_sequence`, `end_turn`, `eos_token`, `tool_calls`, `function_call`, `COMPLETE`. */
function isUsual(reason: string): boolean {
  return /^(?:stop|end|eos|tool|function|complete)/i.test(reason);
}

/** An empty text also counts as complete: whoever requested it handles empty responses. */
function isWhole(text: string): boolean {
  return text.trim() === "" || /[.!?…。！？।؟:]["'”’»)\]*_]*\s*$/u.test(text);
}

/** LiteLLM sends an empty usage with each chunk. */
function usageOf({ usage, model }: CompletionChunk): ModelUsage | undefined {
  if (usage?.prompt_tokens == null || usage.completion_tokens == null) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens;
  const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens,
    outputTokens,
    ...(cachedTokens != null && { cachedTokens }),
    ...(reasoningTokens != null && { reasoningTokens }),
    ...(model != null && model !== "" && { model }),
  };
}
