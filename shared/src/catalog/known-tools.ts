/** The tools that an agent may list under `tools` and its rules may call. */
import type { Tool } from "../tools/tool.ts";
import type { HttpTool } from "./http-tool.ts";

export interface KnownTools {
  readonly tools: ReadonlyMap<string, Pick<Tool, "parameters">>;
  /** Names of the configured MCP servers; their tools (`{server}_{tool}`) are known only once they answer. */
  readonly mcpServers: readonly string[];
}

/** Adds the tools that the catalog itself defines. */
export function withHttpTools(known: KnownTools, httpTools: ReadonlyMap<string, HttpTool>): KnownTools {
  return httpTools.size === 0 ? known : { ...known, tools: new Map([...known.tools, ...httpTools]) };
}

export function isKnownTool(known: KnownTools, name: string): boolean {
  return known.tools.has(name) || known.mcpServers.some((server) => name.startsWith(`${server}_`));
}
