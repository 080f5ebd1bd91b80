/** Agents as callers see them: the catalog's with their runtime overrides, and those created for a session. */
import type { Agent } from "@voice/shared/catalog/agent";
import { withOverride } from "@voice/shared/catalog/compile-session-catalog";
import { acceptDocuments, type AcceptedDocuments, type StoredDocuments } from "@voice/shared/catalog/stored-documents";
import { inSlices } from "@voice/shared/platform/steps";
import type { Dependencies } from "../dependencies.ts";

export type CatalogDependencies = Pick<Dependencies, "state" | "releases" | "knownTools" | "logger">;

export interface KnownAgent {
  readonly agent: Agent;
  readonly source: "catalog" | "session";
}

/** In the catalog's order; a session's own agent replaces the one of the same name. */
export async function agentsOf(
  sessionId: string | undefined,
  dependencies: CatalogDependencies,
): Promise<KnownAgent[]> {
  const { releases, state } = dependencies;
  const [{ catalog }, overrides, own] = await Promise.all([
    releases.deployed(),
    state.agents.overrides(),
    sessionId === undefined ? [] : state.agents.list(sessionId),
  ]);
  const accepted = await acceptStored({ overrides, agents: own }, { ...dependencies, catalog });
  const agents = new Map<string, KnownAgent>();
  for (const [name, agent] of catalog.agents) {
    agents.set(name, { agent: withOverride(agent, accepted.overrides.get(name) ?? {}), source: "catalog" });
  }
  for (const agent of accepted.agents) agents.set(agent.name.toLowerCase(), { agent, source: "session" });
  return [...agents.values()];
}

export async function findKnownAgent(
  name: string,
  sessionId: string | undefined,
  dependencies: CatalogDependencies,
): Promise<KnownAgent | undefined> {
  const agents = await agentsOf(sessionId, dependencies);
  return agents.find(({ agent }) => agent.name.toLowerCase() === name.toLowerCase());
}

/** Logs every stored document that no longer passes its check. */
export async function acceptStored(
  stored: StoredDocuments,
  { catalog, knownTools, logger }: Pick<Dependencies, "catalog" | "knownTools" | "logger">,
): Promise<AcceptedDocuments> {
  const accepted = await inSlices(acceptDocuments(stored, catalog, knownTools));
  for (const leftOut of accepted.leftOut) logger.warn({ leftOut }, "a stored document no longer passes its check");
  return accepted;
}
