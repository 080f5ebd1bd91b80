/**
 * Puts the messages of a conversation into the order that strict chat templates require: one system message at the beginning (Qwen 3.5 and
 * later), then user and assistant in turns, not counting tool calls and their results (Mistral, Gemma). A phone conversation has another
 * order: the agent speaks first, and remarks stand where they belong.
 */
import { callsOf } from "./wire-request.ts";
import type { WireMessage } from "./wire-request.ts";

/** Placed where the template expects a message of somebody who has not spoken. */
const nothingYet = "(The call begins.)";
const unheard = "(The caller heard nothing of this.)";
const goOn = "(The caller has heard this, and waits for what follows.)";

export function inStrictOrder(messages: readonly WireMessage[]): readonly WireMessage[] {
  const begin = messages.findIndex(({ role }) => role !== "system");
  const leading = begin === -1 ? messages : messages.slice(0, begin);
  const order = new StrictOrder(leading.map(({ content }) => content ?? ""));
  for (const message of messages.slice(leading.length)) {
    if (message.role === "tool") order.messages.push(message);
    else if (message.role === "assistant") order.addAssistant(message);
    else order.addUser(message.role === "system" ? asRemark(message.content) : message.content);
  }
  return order.messages;
}

/**
 * Mistral, and Claude from 4.6 on, respond only to the caller or a tool. After a handoff the last message is the new agent's greeting;
 * remarks at the end are attributed to the caller, because gateways move system messages to the beginning.
 */
export function withCallerLast(messages: readonly WireMessage[]): readonly WireMessage[] {
  const end = messages.findLastIndex(({ role }) => role !== "system") + 1;
  const remarks = end === 0 ? [] : messages.slice(end).map(({ content }) => asRemark(content ?? ""));
  const answered = messages[end - 1];
  const waits = answered?.role === "assistant" && callsOf(answered).length === 0;
  if (remarks.length === 0 && !waits) return messages;
  const words = [...remarks, ...(waits ? [goOn] : [])].join("\n");
  const before = messages.slice(0, end);
  if (answered?.role !== "user") return [...before, { role: "user", content: words }];
  return [...before.slice(0, -1), { role: "user", content: `${answered.content}\n${words}` }];
}

const asRemark = (content: string): string => `(${content})`;

type AssistantMessage = Extract<WireMessage, { role: "assistant" }>;

class StrictOrder {
  readonly messages: WireMessage[];
  /** The last speaker, not counting tool calls. */
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
    const isCall = callsOf(message).length > 0;
    if (last?.role === "assistant" && last.tool_calls === undefined) {
      this.#replaceLast({ ...message, content: `${last.content ?? ""} ${message.content ?? ""}`.trim() });
    } else {
      if (this.#speaker === undefined) this.messages.push({ role: "user", content: nothingYet });
      this.messages.push(message);
    }
    this.#speaker = isCall ? "user" : "assistant";
  }

  #replaceLast(message: WireMessage): void {
    this.messages[this.messages.length - 1] = message;
  }
}
