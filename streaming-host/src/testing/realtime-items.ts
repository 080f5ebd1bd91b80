/** The items of a realtime service's conversation, as the messages that a language model would be given of it. */
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";
import type { RealtimeHistoryItem } from "@voice/provider-kit/ports/realtime-model";
import { VoiceError } from "@voice/shared/platform/errors";

export interface RealtimeItem {
  readonly id: string;
  message: ModelMessage;
  /** The item stands for what the caller said, and no response that was completed knows it. */
  isNew?: boolean;
  /** Words of the caller's that a response has followed, in words of the model's own, which knew them. */
  isAnswered?: boolean;
}

export class RealtimeItems {
  readonly #items: RealtimeItem[] = [];
  #ids = 0;

  get all(): readonly RealtimeItem[] {
    return [...this.#items];
  }

  /** What the caller said and no response has followed. */
  get unanswered(): readonly string[] {
    return this.#items
      .filter(({ message, isAnswered }) => isOfCaller(message) && isAnswered !== true)
      .map(({ message }) => message.content);
  }

  add(message: ModelMessage, more: Pick<RealtimeItem, "isNew"> = {}): string {
    const id = `item-${++this.#ids}`;
    this.#items.push({ id, message, ...more });
    return id;
  }

  remember(item: RealtimeHistoryItem): void {
    this.add(toMessage(item, this.#items));
    if (item.role === "assistant") markAnswered(this.#items);
  }

  truncate(itemId: string, heard: string): void {
    const item = this.#items.find(({ id }) => id === itemId);
    if (item === undefined) return;
    if (heard === "") this.#remove(item);
    else item.message = { role: "assistant", content: heard };
  }

  forgetCaller(): void {
    for (const item of this.all) if (item.isNew === true) this.#remove(item);
  }

  #remove(item: RealtimeItem): void {
    this.#items.splice(this.#items.indexOf(item), 1);
  }
}

export function markAnswered(items: readonly RealtimeItem[]): void {
  for (const item of items) item.isAnswered = true;
}

/** The calls that were run. The product says of the others that they were not. */
export function callsIn(messages: readonly ModelMessage[]) {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message.content]] : [])),
  );
  return messages
    .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
    .map((call) => ({ call, result: results.get(call.id) }))
    .filter(({ result }) => result?.includes('"error":"not_run"') !== true);
}

function isOfCaller({ role, content }: ModelMessage): boolean {
  return role === "user" && !content.startsWith("[");
}

function toMessage(item: RealtimeHistoryItem, items: readonly RealtimeItem[]): ModelMessage {
  switch (item.role) {
    case "tool-call":
      return { role: "assistant", content: "", toolCalls: [item.call] };
    case "tool-result": {
      const calls = items.flatMap(({ message }) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
      const call = calls.find(({ id }) => id === item.callId);
      if (call === undefined)
        throw new VoiceError("upstream_unavailable", "the service refuses a result without its call");
      return { role: "tool", toolCallId: item.callId, name: call.name, content: item.resultJson };
    }
    case "user":
    case "assistant":
      return { role: item.role, content: item.text };
  }
}
