/** The two ways in which a built-in tool ends. */
import type { ToolEffect, ToolOutcome } from "./tool.ts";

type Memory = Readonly<Record<string, unknown>>;

export function succeeded(
  result: Readonly<Record<string, unknown>>,
  more: { readonly memory?: Memory; readonly effects?: readonly ToolEffect[] } = {},
): ToolOutcome {
  return { result: { success: true, ...result }, ...more };
}

/** `message` is a sentence that may be said to the caller as it is; numbers in it would be, too: they go into `result`. */
export function failed(
  error: string,
  message: string,
  { result = {}, memory }: { readonly result?: Readonly<Record<string, unknown>>; readonly memory?: Memory } = {},
): ToolOutcome {
  const told = { success: false, error, message, ...result };
  return memory === undefined ? { result: told } : { result: told, memory };
}
