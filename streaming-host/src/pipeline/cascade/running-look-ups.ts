/**
 * TOOL-10: look-ups that continued when the caller interrupted the reply that started them. The model that answers next is informed that
 * they are still running. If it requests the same look-up, it gets that result; if it requests another tool, they are dropped; if it only
 * speaks, it is asked again once their results are known.
 */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { unfinishedResult } from "@voice/shared/conversation/unfinished-call";
import type { UnfinishedCall } from "@voice/shared/conversation/unfinished-call";
import { unlessAborted } from "@voice/shared/platform/unless-aborted";
import { toModelMessages } from "./model-messages.ts";

/** The calls of one response. */
export interface RunningLookUp {
  readonly calls: readonly ToolCall[];
  /** The results in the form in which they are stored. Never rejects. */
  readonly results: Promise<readonly HistoryItem[]>;
  drop(): void;
}

export class RunningLookUps {
  readonly #messages: ModelMessage[];
  #lookUps: readonly RunningLookUp[];

  /** `messages`: the messages of the request; what is known of the look-ups is appended to them. */
  constructor(lookUps: readonly RunningLookUp[], messages: ModelMessage[]) {
    this.#lookUps = lookUps;
    this.#messages = messages;
    for (const lookUp of lookUps) messages.push(...messagesOf(lookUp, "running"));
  }

  get areRunning(): boolean {
    return this.#lookUps.length > 0;
  }

  /** The model has called tools. `keyOf`: see `ToolRunner.lookUpKey`. */
  called(calls: readonly ToolCall[], keyOf: (call: ToolCall) => string | undefined): void {
    const keys = new Set(calls.flatMap((call) => keyOf(call) ?? []));
    for (const lookUp of this.#lookUps) {
      const isWanted = lookUp.calls.some((call) => keys.has(keyOf(call) ?? ""));
      this.#forget(lookUp);
      this.#messages.push(...messagesOf(lookUp, isWanted ? "joined" : "dropped"));
      if (!isWanted) lookUp.drop();
    }
    this.#lookUps = [];
  }

  /** The model has spoken `text` and called nothing. Resolves when the results have been appended to the messages, after that text. */
  async settle(text: string, signal: AbortSignal): Promise<void> {
    const results = await unlessAborted(Promise.all(this.#lookUps.map((lookUp) => lookUp.results)), signal);
    for (const lookUp of this.#lookUps) this.#forget(lookUp);
    this.#lookUps = [];
    if (text.trim() !== "") this.#messages.push({ role: "assistant", content: text });
    this.#messages.push(...results.flatMap(toModelMessages));
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
