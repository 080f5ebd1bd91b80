import type { Agent } from "../catalog/agent.ts";
import type { SessionCatalog } from "../catalog/session-catalog.ts";
import { handoffTools } from "./handoff-tools.ts";
import type { Tool } from "./tool.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** What an agent may call in this session: its own tools as far as they exist right now, and its handoffs. */
export function agentTools(registry: ToolRegistry, catalog: SessionCatalog, agent: Agent): ReadonlyMap<string, Tool> {
  const own = agent.tools.flatMap((name) => registry.get(name) ?? []);
  return new Map([...own, ...handoffTools(catalog, agent.name)].map((tool) => [tool.name, tool]));
}
