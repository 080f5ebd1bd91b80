/**
 * A model that answers at once, in chunks like a real one, for tests and benchmarks for which the content does not
 * matter.
 */
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";

export class EchoModel implements LanguageModel {
  /** Thrown in place of an answer. */
  failure: Error | undefined;
  /** Nothing comes, until it is asked no longer. */
  hangs = false;
  /** Nothing comes after the words, not even their end. */
  hangsAtEnd = false;

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    if (this.failure !== undefined) throw this.failure;
    if (this.hangs) await abortOf(signal);
    const heard = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
    for (const word of `You said ${heard}.`.split(/(?<= )/)) {
      signal.throwIfAborted();
      yield { type: "text-delta", text: word };
    }
    if (this.hangsAtEnd) await abortOf(signal);
    yield { type: "finished", reason: "stop", usage: { inputTokens: 10, outputTokens: 5 } };
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
