/** What to say first to the agents of a scenario, for the screen after `npm start`. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { findScenario } from "@voice/shared/catalog/catalog";

/** Undefined without a scenario of somebody's own, and where its first agent has no rules that a caller could meet. */
export function firstSayings(catalog: Catalog, scenarioName: string | undefined): readonly string[] | undefined {
  const scenario = scenarioName === undefined ? undefined : findScenario(catalog, scenarioName);
  const suggestionsOf = (agent: string): readonly string[] =>
    catalog.agents.get(agent.toLowerCase())?.rules?.suggestions ?? [];
  if (scenario === undefined) return undefined;
  // The agent's own come after those that all agents have.
  const found = suggestionsOf(scenario.startAgent).slice(-2);
  return found.length === 0 ? undefined : found;
}
