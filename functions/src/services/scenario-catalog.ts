/** Scenarios as callers see them: the catalog's, and those created for a session. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Scenario } from "@voice/shared/catalog/scenario";
import { sessionStartAgent } from "@voice/shared/catalog/session-start-agent";
import type { Dependencies } from "../dependencies.ts";
import { acceptStored, type CatalogDependencies } from "./agent-catalog.ts";
import { scenarioNameOf } from "./scenario-name.ts";

export interface KnownScenario {
  readonly scenario: Scenario;
  readonly source: "catalog" | "session";
}

/** In the catalog's order; a session's own scenario replaces the one of the same name. */
export async function scenariosOf(
  sessionId: string | undefined,
  dependencies: CatalogDependencies,
): Promise<KnownScenario[]> {
  const { catalog } = await dependencies.releases.deployed();
  return withOwn(catalog, (await ownOf(sessionId, catalog, dependencies)).scenarios);
}

export async function findKnownScenario(
  name: string,
  sessionId: string | undefined,
  dependencies: CatalogDependencies,
): Promise<KnownScenario | undefined> {
  return find(await scenariosOf(sessionId, dependencies), name);
}

export interface Beginning {
  readonly scenario: Scenario;
  /** The agent with which the session starts: the scenario's, or one that was made for the session. */
  readonly startAgent: string;
}

/**
 * Where a session's conversations start. `remembered`: the scenario that it is in; if absent, the newest of its own, and if it has none,
 * that of the setting.
 */
export async function findBeginning(
  remembered: string | undefined,
  sessionId: string | undefined,
  dependencies: CatalogDependencies & Pick<Dependencies, "settings">,
): Promise<Beginning | undefined> {
  const { catalog } = await dependencies.releases.deployed();
  const own = await ownOf(sessionId, catalog, dependencies);
  const scenarios = withOwn(catalog, own.scenarios);
  const found =
    find(scenarios, remembered ?? own.scenarios.at(-1)?.name ?? "") ??
    find(scenarios, scenarioNameOf(dependencies.settings, catalog));
  if (found === undefined) return undefined;
  return { scenario: found.scenario, startAgent: sessionStartAgent(found.scenario, own) };
}

async function ownOf(sessionId: string | undefined, catalog: Catalog, dependencies: CatalogDependencies) {
  if (sessionId === undefined) return { agents: [], scenarios: [] };
  const { state } = dependencies;
  const [scenarios, agents] = await Promise.all([state.scenarios.list(sessionId), state.agents.list(sessionId)]);
  return acceptStored({ agents, scenarios }, { ...dependencies, catalog });
}

function withOwn(catalog: Catalog, own: readonly Scenario[]): KnownScenario[] {
  const scenarios = new Map<string, KnownScenario>();
  for (const [name, scenario] of catalog.scenarios) scenarios.set(name, { scenario, source: "catalog" });
  for (const scenario of own) scenarios.set(scenario.name.toLowerCase(), { scenario, source: "session" });
  return [...scenarios.values()];
}

function find(scenarios: readonly KnownScenario[], name: string): KnownScenario | undefined {
  return scenarios.find(({ scenario }) => scenario.name.toLowerCase() === name.toLowerCase());
}
