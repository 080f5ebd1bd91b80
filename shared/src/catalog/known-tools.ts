/** The tools that an agent may list under `tools` and its rules may call. */
import type { Tool } from "../tools/tool.ts";
import type { HttpTool } from "./http-tool.ts";

export type KnownTool = Pick<Tool, "parameters" | "resultFields">;

export interface KnownTools {
  readonly tools: ReadonlyMap<string, KnownTool>;
  /** Names of the configured MCP servers; their tools (`{server}_{tool}`) are known only once they answer. */
  readonly mcpServers: readonly string[];
}

/** Adds the tools that the catalog itself defines. */
export function withHttpTools(known: KnownTools, httpTools: ReadonlyMap<string, HttpTool>): KnownTools {
  if (httpTools.size === 0) return known;
  const described = [...httpTools].map(([name, { parameters, result }]): [string, KnownTool] => [
    name,
    { parameters, resultFields: result && Object.keys(result) },
  ]);
  return { ...known, tools: new Map([...known.tools, ...described]) };
}

export function isKnownTool(known: KnownTools, name: string): boolean {
  return known.tools.has(name) || known.mcpServers.some((server) => name.startsWith(`${server}_`));
}
