import type { ToolCallResult } from "../tools/run-tools.ts";

/** Memory patches of one step, merged in the order of the calls. */
export function mergedMemory(results: readonly ToolCallResult[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...results.map((result) => result.memory));
}
