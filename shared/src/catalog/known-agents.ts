/** Whom handoffs, scenarios and rules may name. */
import type { Agent } from "./agent.ts";

export interface KnownAgents {
  /** By lower-case name. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Lower-case names of agents that exist but could not be read; their own problems are enough. */
  readonly broken: ReadonlySet<string>;
}

export function isKnownAgent(known: KnownAgents, name: string): boolean {
  return known.agents.has(name.toLowerCase()) || known.broken.has(name.toLowerCase());
}
