/** The body of a chat completion as we send it: narrower than the vendor's type, because repairs read and rewrite it. */

export interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export type WireMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly WireCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface WireTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

/** A parameter that is undefined is not sent. */
export interface WireRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly stream: boolean;
  readonly tools?: readonly WireTool[] | undefined;
  readonly [parameter: string]: unknown;
}

/**
 * Replaces the missing text of a message, because several servers reject a message without content, and with it the conversation. If a
 * model imitates it, nothing is spoken.
 */
export const wordless = "…";

/** The old and the new name of the response's token limit. */
export const limitNames: readonly string[] = ["max_tokens", "max_completion_tokens"];

/** What no repair may leave out. */
const essential = new Set(["model", "messages", "stream", "tools"]);

export function optionalParameters(request: WireRequest): readonly string[] {
  return Object.keys(request).filter((name) => !essential.has(name) && request[name] !== undefined);
}

export function callsOf(message: WireMessage): readonly WireCall[] {
  return message.role === "assistant" ? (message.tool_calls ?? []) : [];
}
