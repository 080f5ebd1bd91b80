/**
 * A model that does once what the caller asks for, as far as it can see: it calls the tool that their words name unless it has called it
 * before, and then answers. So a tool runs twice if the model was not told that it has run.
 */
import type { LanguageModel, ModelEvent, ModelMessage, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { VoiceError } from "@voice/shared/platform/errors";

const named = /\bpay\d+\b/g;

export class ToolCallingModel implements LanguageModel {
  readonly requests: ModelRequest[] = [];
  /** The next request is lost after a few words. */
  breaksOff = false;

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const number = this.requests.push(request);
    const { messages } = request;
    const breaksOff = this.breaksOff;
    this.breaksOff = false;
    yield { type: "text-delta", text: "Let me see. " };
    if (breaksOff) throw new VoiceError("upstream_unavailable", "the connection was lost");
    signal.throwIfAborted();
    const names = wantedOf(messages);
    for (const [index, name] of names.entries())
      yield { type: "tool-call", call: { id: `call-${number}-${index}`, name, argumentsJson: "{}" } };
    if (names.length === 0) yield { type: "text-delta", text: "That is all I can tell you." };
    yield { type: "finished", reason: names.length === 0 ? "stop" : "tool-calls" };
  }
}

function wantedOf(messages: readonly ModelMessage[]): readonly string[] {
  const called = new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? (message.toolCalls ?? []).map(({ name }) => name) : [],
    ),
  );
  const words = messages.flatMap(({ role, content }) => (role === "user" ? [content] : [])).join(" ");
  return [...new Set(words.match(named))].filter((name) => !called.has(name));
}
