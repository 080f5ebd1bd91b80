/** The two ways in which a built-in tool ends. */
import type { ToolEffect, ToolOutcome } from "./tool.ts";

type Memory = Readonly<Record<string, unknown>>;

export function succeeded(
  result: Readonly<Record<string, unknown>>,
  more: { readonly memory?: Memory; readonly effects?: readonly ToolEffect[] } = {},
): ToolOutcome {
  return { result: { success: true, ...result }, ...more };
}

/** `message` is a sentence that may be said to the caller as it is. */
export function failed(error: string, message: string, memory?: Memory): ToolOutcome {
  const result = { success: false, error, message };
  return memory === undefined ? { result } : { result, memory };
}
