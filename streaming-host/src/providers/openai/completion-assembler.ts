/** Turns the chunks of one streamed completion into our events. Pure: one instance reads one answer. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ModelEvent, ModelToolCall, ModelUsage } from "@voice/provider-kit/ports/language-model";

type FinishReason = Extract<ModelEvent, { type: "finished" }>["reason"];
type PartialCall = { id: string; name: string; argumentsJson: string };

export class CompletionAssembler {
  /**
   * Keyed by the wire's index, because only the first delta of a call carries its id and name, and parallel calls may
   * interleave.
   */
  readonly #calls = new Map<number, PartialCall>();
  #finish: FinishReason | undefined;
  #usage: ModelUsage | undefined;

  accept(chunk: ChatCompletionChunk): ModelEvent[] {
    if (chunk.usage) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = chunk.usage;
      const cachedTokens = chunk.usage.prompt_tokens_details?.cached_tokens;
      const reasoningTokens = chunk.usage.completion_tokens_details?.reasoning_tokens;
      this.#usage = {
        inputTokens,
        outputTokens,
        ...(cachedTokens !== undefined && { cachedTokens }),
        ...(reasoningTokens !== undefined && { reasoningTokens }),
        ...(chunk.model !== undefined && chunk.model !== "" && { model: chunk.model }),
      };
    }
    // Azure's first chunk (prompt filter results) and every server's last (usage) have no choice.
    const choice = chunk.choices[0];
    if (choice === undefined) return [];
    const events: ModelEvent[] = [];
    // A refusal is treated as an answer, because the caller has to hear it.
    const text = choice.delta.content ?? choice.delta.refusal;
    if (text) events.push({ type: "text-delta", text });
    for (const delta of choice.delta.tool_calls ?? []) {
      const call = this.#callAt(delta.index);
      if (delta.id) call.id = delta.id;
      if (delta.function?.name) call.name += delta.function.name;
      call.argumentsJson += delta.function?.arguments ?? "";
    }
    if (choice.finish_reason !== null && this.#finish === undefined) {
      const calls = this.#finishedCalls();
      for (const call of calls) events.push({ type: "tool-call", call });
      this.#finish = toFinishReason(choice.finish_reason, calls.length > 0);
    }
    return events;
  }

  /** Called at the end of the stream. Throws if the stream ended before the model was finished. */
  end(): ModelEvent {
    if (this.#finish === undefined) {
      throw new VoiceError("upstream_unavailable", "the language model's stream ended before its answer did");
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

  #callAt(index: number): PartialCall {
    const known = this.#calls.get(index);
    if (known !== undefined) return known;
    const call = { id: "", name: "", argumentsJson: "" };
    this.#calls.set(index, call);
    return call;
  }

  #finishedCalls(): ModelToolCall[] {
    return [...this.#calls.entries()]
      .toSorted(([left], [right]) => left - right)
      .map(([index, { id, name, argumentsJson }]) => ({
        id: id === "" ? `call_${index}` : id,
        name,
        argumentsJson: argumentsJson === "" ? "{}" : argumentsJson,
      }));
  }
}

function toFinishReason(reason: string, hasCalls: boolean): FinishReason {
  if (reason === "length") return "length";
  if (reason === "content_filter") return "content-filter";
  // Several compatible servers report "stop" after tool calls.
  return hasCalls ? "tool-calls" : "stop";
}
