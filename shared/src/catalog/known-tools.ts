/** The tools that an agent may list under `tools` and its rules may call. */
import type { Tool } from "../tools/tool.ts";
import type { KnowledgeSources } from "../knowledge/knowledge-source.ts";
import { describedSearchTool, searchKnowledgeName } from "../knowledge/search-knowledge.ts";
import type { HttpTool } from "./http-tool.ts";

/** Whether a tool changes something is not known before its server has responded. */
export type KnownTool = Pick<Tool, "parameters" | "resultFields"> &
  Partial<Pick<Tool, "description" | "onInterruption" | "isRepeatable">>;

export interface KnownTools {
  readonly tools: ReadonlyMap<string, KnownTool>;
  /** Names of the configured MCP servers; their tools (`{server}_{tool}`) are known only once they answer. */
  readonly mcpServers: readonly string[];
}

/** Adds the tools that the catalog itself defines, and the one that searches its documents. */
export function withCatalogTools(
  known: KnownTools,
  { httpTools, knowledge }: { readonly httpTools: ReadonlyMap<string, HttpTool>; readonly knowledge: KnowledgeSources },
): KnownTools {
  const tools = new Map(known.tools);
  for (const [name, tool] of httpTools)
    tools.set(name, {
      description: tool.description,
      parameters: tool.parameters,
      resultFields: tool.result && Object.keys(tool.result),
      onInterruption: tool.hasSideEffects ? "finish" : "cancel",
    });
  if (knowledge.size > 0) tools.set(searchKnowledgeName, describedSearchTool);
  return { ...known, tools };
}

export function isKnownTool(known: KnownTools, name: string): boolean {
  return known.tools.has(name) || known.mcpServers.some((server) => name.startsWith(`${server}_`));
}
