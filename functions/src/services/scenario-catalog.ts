/** Scenarios as callers see them: the catalog's, and those created for a session. */
import type { Scenario } from "@voice/shared/catalog/scenario";
import { acceptStored, type CatalogDependencies } from "./agent-catalog.ts";

export interface KnownScenario {
  readonly scenario: Scenario;
  readonly source: "catalog" | "session";
}

/** In the catalog's order; a session's own scenario replaces the one of the same name. */
export async function scenariosOf(
  sessionId: string | undefined,
  dependencies: CatalogDependencies,
): Promise<KnownScenario[]> {
  const { catalog, state } = dependencies;
  const scenarios = new Map<string, KnownScenario>();
  for (const [name, scenario] of catalog.scenarios) scenarios.set(name, { scenario, source: "catalog" });
  if (sessionId === undefined) return [...scenarios.values()];
  const [own, agents] = await Promise.all([state.scenarios.list(sessionId), state.agents.list(sessionId)]);
  const accepted = await acceptStored({ agents, scenarios: own }, dependencies);
  for (const scenario of accepted.scenarios)
    scenarios.set(scenario.name.toLowerCase(), { scenario, source: "session" });
  return [...scenarios.values()];
}

export async function findKnownScenario(
  name: string,
  sessionId: string | undefined,
  dependencies: CatalogDependencies,
): Promise<KnownScenario | undefined> {
  const scenarios = await scenariosOf(sessionId, dependencies);
  return scenarios.find(({ scenario }) => scenario.name.toLowerCase() === name.toLowerCase());
}
