/**
 * The history of one emulated conversation: keeps the protocol's items as the messages that are sent to a chat model.
 */
import type { CompletionRequest } from "../openai/completion-request.ts";

type Message = CompletionRequest["messages"][number];
export function toolCallMessage(callId: string, name: string, argumentsJson: string): Message {
  const call = { id: callId, type: "function" as const, function: { name, arguments: argumentsJson } };
  return { role: "assistant", content: null, tool_calls: [call] };
}

type Word = { readonly text: string; readonly endMs: number };

export class ConversationLog {
  readonly #items: { readonly id: string; message: Message; words: readonly Word[] }[] = [];

  /** The newest item, whose content may still be coming; null before the first. */
  #newestId: string | null = null;

  /** The item that comes next takes its place; returns the one before it. */
  takePlace(id: string): string | null {
    const before = this.#newestId;
    this.#newestId = id;
    return before;
  }

  /** `after`: the item that it follows; at the end without one. */
  add(id: string, message: Message, words: readonly Word[] = [], after?: string): void {
    const at = after === undefined ? -1 : this.#items.findIndex((item) => item.id === after);
    this.#items.splice(at === -1 ? this.#items.length : at + 1, 0, { id, message, words });
  }

  hasCall(callId: string): boolean {
    return this.#items.some(
      ({ message }) => message.role === "assistant" && message.tool_calls?.some(({ id }) => id === callId) === true,
    );
  }

  /**
   * Drops the words that were not heard in full; false if there is no such item. The service removes the item's text as a whole ("remove the
   * server-side text transcript", `@azure/ai-voicelive`, `ServerEventConversationItemTruncated`, and the same in `openai`): what was heard
   * is known only to a model that goes on from the audio.
   */
  truncate(id: string, audioEndMs: number, { keepsAudio }: { readonly keepsAudio: boolean }): boolean {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item === undefined || item.message.role !== "assistant") return false;
    item.words = keepsAudio ? item.words.filter(({ endMs }) => endMs <= audioEndMs) : [];
    item.message = { role: "assistant", content: item.words.map(({ text }) => text).join(" ") };
    return true;
  }

  /** False if there is no such item. */
  delete(id: string): boolean {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at === -1) return false;
    this.#items.splice(at, 1);
    return true;
  }

  messages(instructions: string): Message[] {
    const system: Message = { role: "system", content: instructions };
    const said = this.#items.map(({ message }) => message);
    return [system, ...said.filter(({ role, content }) => role !== "assistant" || content !== "")];
  }
}
