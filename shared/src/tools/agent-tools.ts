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
  readonly own: readonly Tool[];
  readonly tools: ReadonlyMap<string, Tool>;
}

/**
 * Cached per agent object: sessions that share an agent share its tools, which change only when a tool server appears or
 * disappears.
 */
const made = new WeakMap<Agent, MadeTools>();

/** The tools that an agent may call in this session: those it lists that currently exist, and its handoffs. */
export function agentTools(source: ToolSource, catalog: SessionCatalog, agent: Agent): ReadonlyMap<string, Tool> {
  const own = agent.tools.flatMap((name) => source.get(name) ?? []);
  const last = made.get(agent);
  if (last?.catalog === catalog && isSame(last.own, own)) return last.tools;
  const tools = new Map([...own, ...handoffTools(catalog, agent.name)].map((tool) => [tool.name, tool]));
  made.set(agent, { catalog, own, tools });
  return tools;
}

function isSame(one: readonly Tool[], other: readonly Tool[]): boolean {
  return one.length === other.length && one.every((tool, index) => tool === other[index]);
}
