import type { Agent } from "../catalog/agent.ts";
import type { SessionCatalog } from "../catalog/session-catalog.ts";
import { handoffTools } from "./handoff-tools.ts";
import type { Tool } from "./tool.ts";

/** The built-in tools and those of MCP servers, which come and go. */
export interface ToolSource {
  get(name: string): Tool | undefined;
}

interface MadeTools {
  readonly catalog: SessionCatalog;
  /** In the order of the agent's list; undefined for one that does not exist. */
  readonly own: readonly (Tool | undefined)[];
  readonly tools: ReadonlyMap<string, Tool>;
}

/**
 * Cached per agent object: sessions that share an agent share its tools, which change only when a tool server appears or
 * disappears.
 */
const made = new WeakMap<Agent, MadeTools>();

/** The tools that an agent may call in this session: those it lists that currently exist, and its handoffs. */
export function agentTools(source: ToolSource, catalog: SessionCatalog, agent: Agent): ReadonlyMap<string, Tool> {
  const last = made.get(agent);
  if (last?.catalog === catalog && areStillThere(last.own, agent.tools, source)) return last.tools;
  const own = agent.tools.map((name) => source.get(name));
  const found = own.filter((tool) => tool !== undefined);
  const tools = new Map([...found, ...handoffTools(catalog, agent.name)].map((tool) => [tool.name, tool]));
  made.set(agent, { catalog, own, tools });
  return tools;
}

/** Called in every turn while the caller waits, so it allocates nothing. */
function areStillThere(own: MadeTools["own"], names: readonly string[], source: ToolSource): boolean {
  for (let index = 0; index < names.length; index++) if (source.get(names[index] ?? "") !== own[index]) return false;
  return true;
}
