/** What an agent may list under `tools`, and what its rules may call. */
import type { Tool } from "../tools/tool.ts";

export interface KnownTools {
  readonly tools: ReadonlyMap<string, Pick<Tool, "parameters">>;
  /** Names of the MCP servers in the settings; what they offer (`{server}_{tool}`) shows only once they answer. */
  readonly mcpServers: readonly string[];
}

export function isKnownTool(known: KnownTools, name: string): boolean {
  return known.tools.has(name) || known.mcpServers.some((server) => name.startsWith(`${server}_`));
}
