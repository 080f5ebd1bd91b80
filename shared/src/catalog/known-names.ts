/** What a catalog may refer to. */
import type { Tool } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";

/** What an agent may list under `tools`. */
export interface KnownTools {
  readonly tools: ReadonlyMap<string, Pick<Tool, "parameters">>;
  /** Names of the MCP servers in the settings; what they offer (`{server}_{tool}`) shows only once they answer. */
  readonly mcpServers: readonly string[];
}

export interface KnownAgents {
  /** By lower-case name. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Lower-case names of agents that exist but could not be read; their own problems are enough. */
  readonly broken: ReadonlySet<string>;
}

export function isKnownTool(known: KnownTools, name: string): boolean {
  return known.tools.has(name) || known.mcpServers.some((server) => name.startsWith(`${server}_`));
}

export function isKnownAgent(known: KnownAgents, name: string): boolean {
  return known.agents.has(name.toLowerCase()) || known.broken.has(name.toLowerCase());
}
