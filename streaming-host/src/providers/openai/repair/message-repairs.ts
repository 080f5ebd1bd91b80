/** Rewrites messages and calls in forms that servers require. Pure. */
import { createHash } from "node:crypto";
import { inStrictOrder } from "./strict-order.ts";
import { callsOf, wordless } from "./wire-request.ts";
import type { WireCall, WireMessage, WireRequest } from "./wire-request.ts";

export function onMessages(
  change: (messages: readonly WireMessage[]) => readonly WireMessage[],
): (request: WireRequest) => WireRequest {
  return (request) => ({ ...request, messages: change(request.messages) });
}

/** Llama's templates, and gateways that route to them, accept one call per message, followed by its result. */
export function withOneCallEach(messages: readonly WireMessage[]): readonly WireMessage[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.tool_call_id, message]] : [])),
  );
  const split = new Set(
    messages
      .filter((message) => callsOf(message).length > 1)
      .flatMap(callsOf)
      .map(({ id }) => id),
  );
  return messages.flatMap((message): readonly WireMessage[] => {
    if (message.role === "tool" && split.has(message.tool_call_id)) return [];
    const calls = callsOf(message);
    if (calls.length < 2) return [message];
    return calls.flatMap((call, place) => {
      const result = results.get(call.id);
      const content = place === 0 ? message.content : null;
      return [{ role: "assistant" as const, content, tool_calls: [call] }, ...(result === undefined ? [] : [result])];
    });
  });
}

/** Some servers reject a message that has calls and no text, whether the text is null, empty or absent. */
export function withWordsBesideCalls(messages: readonly WireMessage[]): readonly WireMessage[] {
  return messages.map((message) =>
    message.role === "assistant" && (message.content ?? "").trim() === "" ? { ...message, content: wordless } : message,
  );
}

/** Mistral requires ids of nine letters and digits. Its own ids are unchanged, because they already have that form. */
export function withShortIds(messages: readonly WireMessage[]): readonly WireMessage[] {
  return messages.map((message) => {
    if (message.role === "tool") return { ...message, tool_call_id: shortId(message.tool_call_id) };
    const calls = callsOf(message);
    if (message.role !== "assistant" || calls.length === 0) return message;
    return { ...message, tool_calls: calls.map((call) => ({ ...call, id: shortId(call.id) })) };
  });
}

function shortId(id: string): string {
  if (/^[a-zA-Z\d]{9}$/.test(id)) return id;
  return createHash("sha256").update(id).digest("hex").slice(0, 9);
}

/** Letters, digits and underscores, with a letter first: what every server that has a pattern of its own accepts. */
export function withPlainNames(request: WireRequest): WireRequest {
  const { tools } = request;
  const messages = request.messages.map((message) => {
    const calls = callsOf(message);
    return message.role !== "assistant" || calls.length === 0
      ? message
      : { ...message, tool_calls: calls.map((call) => renamed(call, plainName(call.function.name))) };
  });
  if (tools === undefined) return { ...request, messages };
  const taken = new Set<string>();
  const named = tools.map((tool) => {
    const name = uniqueName(plainName(tool.function.name), taken);
    return { ...tool, function: { ...tool.function, name } };
  });
  return { ...request, messages, tools: named };
}

function plainName(name: string): string {
  const plain = name.replaceAll(/\W/g, "_");
  return (/^[a-z]/i.test(plain) ? plain : `t_${plain}`).slice(0, 60);
}

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
  taken.add(unique);
  return unique;
}

function renamed(call: WireCall, name: string): WireCall {
  return { ...call, function: { ...call.function, name } };
}

/** For models whose template has no system role (Gemma 2 and 3, o1-mini): the prompt is put before the caller's first words. */
export function withoutSystemRole(messages: readonly WireMessage[]): readonly WireMessage[] {
  const [prompt, ...rest] = inStrictOrder(messages);
  if (prompt?.role !== "system") return messages;
  const [first, ...others] = rest;
  if (first?.role !== "user") return [{ role: "user", content: prompt.content }, ...rest];
  return [{ role: "user", content: `${prompt.content}\n\n${first.content}` }, ...others];
}

/** Tool results as text, for servers that reject calls in a conversation, or these particular calls. */
export function withCallsAsWords(messages: readonly WireMessage[]): readonly WireMessage[] {
  const names = new Map(messages.flatMap(callsOf).map(({ id, function: { name } }) => [id, name]));
  return messages.flatMap((message): readonly WireMessage[] => {
    if (message.role === "tool") {
      const name = names.get(message.tool_call_id) ?? "a tool";
      return [{ role: "user", content: `(Result of ${name}: ${message.content})` }];
    }
    if (callsOf(message).length === 0) return [message];
    const words = message.content?.trim() ?? "";
    return words === "" ? [] : [{ role: "assistant", content: words }];
  });
}

/** The prompt and everything since the caller's second to last turn. */
export function lastTurnsOf(messages: readonly WireMessage[]): readonly WireMessage[] {
  const [prompt, ...rest] = messages;
  if (prompt?.role !== "system") return messages.slice(beginOfLastTurns(messages));
  return [prompt, ...rest.slice(beginOfLastTurns(rest))];
}

function beginOfLastTurns(messages: readonly WireMessage[]): number {
  const spoken = messages.flatMap(({ role }, place) => (role === "user" ? [place] : []));
  return spoken.at(-2) ?? 0;
}
