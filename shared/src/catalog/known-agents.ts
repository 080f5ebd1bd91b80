/** The agents that handoffs, scenarios and rules may refer to. */
import type { Agent } from "./agent.ts";

export interface KnownAgents {
  /** By lower-case name. */
  readonly agents: ReadonlyMap<string, Agent>;
  /**
   * Lower-case names of agents that exist but have errors. Only those errors are reported, not the references to them.
   */
  readonly broken: ReadonlySet<string>;
}

export function isKnownAgent(known: KnownAgents, name: string): boolean {
  return known.agents.has(name.toLowerCase()) || known.broken.has(name.toLowerCase());
}
