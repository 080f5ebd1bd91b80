/**
 * The messages of a conversation in the order that strict chat templates ask for: one system message at the beginning
 * (Qwen 3.5 and later), then user and assistant in turns, of which tool calls and their results are no part (Mistral,
 * Gemma). A phone conversation is not like that: the agent speaks first, and remarks stand where they belong.
 */
import { APIError } from "openai";
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";

/** Their servers answer with the template's own words: vLLM with 400, llama.cpp and Ollama with 500. */
const refusal = /roles must alternate|system message must be at the beginning/i;

export function refusesOrder(error: unknown): boolean {
  return error instanceof APIError && refusal.test(error.message);
}

/** Stand where the template expects somebody who has not said anything. */
const nothingYet = "(The call begins.)";
const unheard = "(The caller heard nothing of this.)";

export function inStrictOrder(messages: readonly ModelMessage[]): ModelMessage[] {
  const begin = messages.findIndex(({ role }) => role !== "system");
  const leading = begin === -1 ? messages : messages.slice(0, begin);
  const order = new StrictOrder(leading.map(({ content }) => content));
  for (const message of messages.slice(leading.length)) {
    if (message.role === "tool") order.messages.push(message);
    else if (message.role === "assistant") order.addAssistant(message);
    else order.addUser(message.role === "system" ? `(${message.content})` : message.content);
  }
  return order.messages;
}

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

class StrictOrder {
  readonly messages: ModelMessage[];
  /** Who spoke last, apart from calls of tools. */
  #speaker: "user" | "assistant" | undefined;

  constructor(systemTexts: readonly string[]) {
    this.messages = systemTexts.length === 0 ? [] : [{ role: "system", content: systemTexts.join("\n\n") }];
  }

  addUser(content: string): void {
    const last = this.messages.at(-1);
    if (last?.role === "user") {
      this.#replaceLast({ role: "user", content: `${last.content}\n${content}` });
      return;
    }
    if (this.#speaker === "user") this.messages.push({ role: "assistant", content: unheard });
    this.messages.push({ role: "user", content });
    this.#speaker = "user";
  }

  addAssistant(message: AssistantMessage): void {
    const last = this.messages.at(-1);
    const isCall = (message.toolCalls?.length ?? 0) > 0;
    if (last?.role === "assistant" && last.toolCalls === undefined) {
      this.#replaceLast({ ...message, content: `${last.content} ${message.content}`.trim() });
    } else {
      if (this.#speaker === undefined) this.messages.push({ role: "user", content: nothingYet });
      this.messages.push(message);
    }
    this.#speaker = isCall ? "user" : "assistant";
  }

  #replaceLast(message: ModelMessage): void {
    this.messages[this.messages.length - 1] = message;
  }
}
