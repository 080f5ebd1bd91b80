/** Scenarios as callers see them: the catalog's, and those that a session made. */
import type { Scenario } from "@voice/shared/catalog/scenario";
import { checkSessionScenario } from "@voice/shared/catalog/session-documents";
import type { Settings } from "@voice/shared/config/settings";
import type { Dependencies } from "../dependencies.ts";
import { toSessionAgents } from "./agent-catalog.ts";

export interface KnownScenario {
  readonly scenario: Scenario;
  readonly source: "catalog" | "session";
}

/** Of sessions that ask for none, where AGENT_SCENARIO is not set. */
const defaultScenario = "default";

export function scenarioNameOf({ agentScenario }: Pick<Settings, "agentScenario">): string {
  return agentScenario ?? defaultScenario;
}

/** In the catalog's order; a session's own scenario stands in place of its namesake. */
export async function scenariosOf(sessionId: string | undefined, dependencies: Dependencies): Promise<KnownScenario[]> {
  const { catalog, logger, state } = dependencies;
  const scenarios = new Map<string, KnownScenario>();
  for (const [name, scenario] of catalog.scenarios) scenarios.set(name, { scenario, source: "catalog" });
  if (sessionId === undefined) return [...scenarios.values()];
  const [documents, agentDocuments] = await Promise.all([
    state.scenarios.list(sessionId),
    state.agents.list(sessionId),
  ]);
  const agents = documents.length === 0 ? [] : toSessionAgents(agentDocuments, dependencies);
  for (const { name, document } of documents) {
    const checked = checkSessionScenario(document, catalog, agents);
    if (checked.ok) scenarios.set(name.toLowerCase(), { scenario: checked.value, source: "session" });
    else logger.warn({ scenario: name }, "a session's scenario no longer passes its check");
  }
  return [...scenarios.values()];
}

export async function findKnownScenario(
  name: string,
  sessionId: string | undefined,
  dependencies: Dependencies,
): Promise<KnownScenario | undefined> {
  const scenarios = await scenariosOf(sessionId, dependencies);
  return scenarios.find(({ scenario }) => scenario.name.toLowerCase() === name.toLowerCase());
}
