/** The tools that an agent may list under `tools` and its rules may call. */
import type { Tool } from "../tools/tool.ts";
import type { HttpTool } from "./http-tool.ts";

/** Whether a tool changes something is not known before its server has responded. */
export type KnownTool = Pick<Tool, "parameters" | "resultFields"> &
  Partial<Pick<Tool, "onInterruption" | "isRepeatable">>;

export interface KnownTools {
  readonly tools: ReadonlyMap<string, KnownTool>;
  /** Names of the configured MCP servers; their tools (`{server}_{tool}`) are known only once they answer. */
  readonly mcpServers: readonly string[];
}

/** Adds the tools that the catalog itself defines. */
export function withHttpTools(known: KnownTools, httpTools: ReadonlyMap<string, HttpTool>): KnownTools {
  if (httpTools.size === 0) return known;
  const described = [...httpTools].map(([name, tool]): [string, KnownTool] => [
    name,
    {
      parameters: tool.parameters,
      resultFields: tool.result && Object.keys(tool.result),
      onInterruption: tool.hasSideEffects ? "finish" : "cancel",
    },
  ]);
  return { ...known, tools: new Map([...known.tools, ...described]) };
}

export function isKnownTool(known: KnownTools, name: string): boolean {
  return known.tools.has(name) || known.mcpServers.some((server) => name.startsWith(`${server}_`));
}
