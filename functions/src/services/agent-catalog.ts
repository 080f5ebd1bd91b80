/** Agents as callers see them: the catalog's with their runtime overrides, and those that a session made. */
import type { Agent } from "@voice/shared/catalog/agent";
import { withOverride } from "@voice/shared/catalog/compile-session-catalog";
import { checkSessionAgent, toAgentOverride } from "@voice/shared/catalog/session-documents";
import type { SessionDocument } from "@voice/shared/state/ports/session-documents";
import type { Dependencies } from "../dependencies.ts";

export interface KnownAgent {
  readonly agent: Agent;
  readonly source: "catalog" | "session";
}

/** In the catalog's order; a session's own agent stands in place of its namesake. */
export async function agentsOf(sessionId: string | undefined, dependencies: Dependencies): Promise<KnownAgent[]> {
  const { catalog, state } = dependencies;
  const [overrides, own] = await Promise.all([
    state.agents.overrides(),
    sessionId === undefined ? [] : state.agents.list(sessionId),
  ]);
  const documents = new Map(overrides.map(({ agentName, document }) => [agentName.toLowerCase(), document]));
  const agents = new Map<string, KnownAgent>();
  for (const [name, agent] of catalog.agents) {
    const document = documents.get(name);
    agents.set(name, {
      agent: document === undefined ? agent : withOverride(agent, toAgentOverride(document)),
      source: "catalog",
    });
  }
  for (const agent of toSessionAgents(own, dependencies))
    agents.set(agent.name.toLowerCase(), { agent, source: "session" });
  return [...agents.values()];
}

export async function findKnownAgent(
  name: string,
  sessionId: string | undefined,
  dependencies: Dependencies,
): Promise<KnownAgent | undefined> {
  const agents = await agentsOf(sessionId, dependencies);
  return agents.find(({ agent }) => agent.name.toLowerCase() === name.toLowerCase());
}

/** A document that no longer passes its check (the catalog changed under it) is left out rather than served broken. */
export function toSessionAgents(
  documents: readonly SessionDocument[],
  { catalog, knownTools, logger }: Pick<Dependencies, "catalog" | "knownTools" | "logger">,
): Agent[] {
  const agents: Agent[] = [];
  for (const { name, document } of documents) {
    const checked = checkSessionAgent(document, catalog, knownTools, agents);
    if (checked.ok) agents.push(checked.value);
    else logger.warn({ agent: name }, "a session's agent no longer passes its check");
  }
  return agents;
}
