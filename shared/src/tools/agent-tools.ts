import type { Agent } from "../catalog/agent.ts";
import type { SessionCatalog } from "../catalog/session-catalog.ts";
import { handoffTools } from "./handoff-tools.ts";
import type { Tool } from "./tool.ts";

/** The built-in tools and those of MCP servers, which come and go. */
export interface ToolSource {
  get(name: string): Tool | undefined;
}

/** What an agent may call in this session: its own tools as far as they exist right now, and its handoffs. */
export function agentTools(source: ToolSource, catalog: SessionCatalog, agent: Agent): ReadonlyMap<string, Tool> {
  const own = agent.tools.flatMap((name) => source.get(name) ?? []);
  return new Map([...own, ...handoffTools(catalog, agent.name)].map((tool) => [tool.name, tool]));
}
