/**
 * Checks at start-up that the catalog has the scenarios, agents and variables that the settings name, so that it does
 * not fail during a call.
 */
import type { CallStart } from "../config/called-numbers.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { findScenario, type Catalog } from "./catalog.ts";
import { defaultScenarioOf } from "./resolve-scenario.ts";

interface CatalogSettings {
  readonly agentScenario?: string | undefined;
  readonly commScenarios: ReadonlyMap<string, CallStart>;
  readonly commVoicemailMessage?: string | undefined;
}

/** Throws a `ConfigurationError` that names every such setting and the missing item. */
export function requireCatalogOfSettings(catalog: Catalog, settings: CatalogSettings): void {
  const problems = catalogProblemsOfSettings(catalog, settings);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

export function catalogProblemsOfSettings(catalog: Catalog, settings: CatalogSettings): string[] {
  const { agentScenario, commScenarios, commVoicemailMessage } = settings;
  const known = [...catalog.scenarios.values()].map(({ name }) => name).join(", ");
  const problems: string[] = [];
  const check = (setting: string, { scenario: name, agent }: CallStart): void => {
    const scenario = findScenario(catalog, name);
    if (scenario === undefined) problems.push(`${setting}: there is no scenario "${name}" (there are ${known})`);
    else if (agent !== undefined && !scenario.agents.some((member) => member.toLowerCase() === agent.toLowerCase()))
      problems.push(`${setting}: "${agent}" is not an agent of the scenario "${name}"`);
  };
  if (agentScenario === undefined && defaultScenarioOf(catalog) === undefined)
    problems.push(
      known === ""
        ? "CATALOG_DIR: several agents need a scenario that says who begins: scenarios/default.yaml"
        : `AGENT_SCENARIO: say which scenario begins, as none is named "default" (there are ${known})`,
    );
  if (agentScenario !== undefined) check("AGENT_SCENARIO", { scenario: agentScenario });
  for (const start of commScenarios.values()) check("COMM_SCENARIOS", start);
  const variables = new Set(["agent_name", "context", "memory", ...variablesOf(catalog)]);
  const inMessage = commVoicemailMessage && catalog.templates.problem(commVoicemailMessage, variables);
  if (inMessage !== undefined) problems.push(`COMM_VOICEMAIL_MESSAGE: ${inMessage}`);
  return problems;
}

function variablesOf({ agents, scenarios }: Catalog): string[] {
  return [...agents.values(), ...scenarios.values()].flatMap(({ templateVars }) => Object.keys(templateVars));
}
