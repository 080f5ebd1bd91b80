import type { Tool } from "./tool.ts";

export type ToolRegistry = ReadonlyMap<string, Tool>;

/** With two tools of the same name it would be arbitrary which one a model calls. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const registry = new Map<string, Tool>();
  for (const tool of tools) {
    if (registry.has(tool.name)) throw new Error(`two tools are named "${tool.name}"`);
    registry.set(tool.name, tool);
  }
  return registry;
}
