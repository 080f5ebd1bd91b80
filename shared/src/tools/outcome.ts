/** The two outcomes of a built-in tool. */
import type { ToolEffect, ToolOutcome } from "./tool.ts";

type Memory = Readonly<Record<string, unknown>>;

export function succeeded(
  result: Readonly<Record<string, unknown>>,
  more: { readonly memory?: Memory; readonly effects?: readonly ToolEffect[] } = {},
): ToolOutcome {
  return { result: { success: true, ...result }, ...more };
}

/**
 * `message` is a sentence that may be spoken to the caller unchanged. Values that must not be spoken belong in
 * `result`.
 */
export function failed(
  error: string,
  message: string,
  { result = {}, memory }: { readonly result?: Readonly<Record<string, unknown>>; readonly memory?: Memory } = {},
): ToolOutcome {
  const told = { success: false, error, message, ...result };
  return memory === undefined ? { result: told } : { result: told, memory };
}
