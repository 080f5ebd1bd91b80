/**
 * TOOL-10: look-ups that went on when the caller spoke over the reply that began them. The model that answers reads that they are still
 * running. If it asks for the same, it gets their results; if it asks for something else, they are dropped; and if it only speaks, it is asked
 * again when they are known.
 */
import type { ModelMessage, ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { unfinishedResult } from "@voice/shared/conversation/unfinished-call";
import type { UnfinishedCall } from "@voice/shared/conversation/unfinished-call";
import { toModelMessages } from "./model-messages.ts";

/** The calls of one answer. */
export interface RunningLookUp {
  readonly calls: readonly ModelToolCall[];
  /** As they are stored. Never rejects. */
  readonly results: Promise<readonly HistoryItem[]>;
  drop(): void;
}

export class RunningLookUps {
  readonly #messages: ModelMessage[];
  #lookUps: readonly RunningLookUp[];

  /** `messages`: those of the request, to which what is known of the look-ups is added. */
  constructor(lookUps: readonly RunningLookUp[], messages: ModelMessage[]) {
    this.#lookUps = lookUps;
    this.#messages = messages;
    for (const lookUp of lookUps) messages.push(...messagesOf(lookUp, "running"));
  }

  get areRunning(): boolean {
    return this.#lookUps.length > 0;
  }

  /** The model has called tools. `keyOf`: see `ToolRunner.lookUpKey`. */
  called(calls: readonly ModelToolCall[], keyOf: (call: ModelToolCall) => string | undefined): void {
    const keys = new Set(calls.flatMap((call) => keyOf(call) ?? []));
    for (const lookUp of this.#lookUps) {
      const isWanted = lookUp.calls.some((call) => keys.has(keyOf(call) ?? ""));
      this.#forget(lookUp);
      this.#messages.push(...messagesOf(lookUp, isWanted ? "joined" : "dropped"));
      if (!isWanted) lookUp.drop();
    }
    this.#lookUps = [];
  }

  /** The model has said `text` and called nothing. Resolves when the results are in the messages, after what it said. */
  async settle(text: string, signal: AbortSignal): Promise<void> {
    const cut = Promise.withResolvers<never>();
    const onAbort = (): void => cut.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const results = await Promise.race([Promise.all(this.#lookUps.map((lookUp) => lookUp.results)), cut.promise]);
      for (const lookUp of this.#lookUps) this.#forget(lookUp);
      this.#lookUps = [];
      if (text.trim() !== "") this.#messages.push({ role: "assistant", content: text });
      this.#messages.push(...results.flatMap(toModelMessages));
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #forget({ calls }: RunningLookUp): void {
    const ids = new Set(calls.map(({ id }) => id));
    const others = this.#messages.filter(
      (message) =>
        !(message.role === "tool" && ids.has(message.toolCallId)) &&
        !(message.role === "assistant" && message.toolCalls?.some(({ id }) => ids.has(id)) === true),
    );
    this.#messages.splice(0, this.#messages.length, ...others);
  }
}

function messagesOf({ calls }: RunningLookUp, status: UnfinishedCall): ModelMessage[] {
  const content = unfinishedResult(status);
  return [
    { role: "assistant", content: "", toolCalls: calls },
    ...calls.map(({ id, name }): ModelMessage => ({ role: "tool", toolCallId: id, name, content })),
  ];
}
