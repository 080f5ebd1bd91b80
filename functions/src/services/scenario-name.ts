import { defaultScenarioName } from "@voice/shared/catalog/resolve-scenario";
import type { Settings } from "@voice/shared/config/settings";

/** Of the scenario that conversations are in where nobody asks for another. */
export function scenarioNameOf({ agentScenario }: Pick<Settings, "agentScenario">): string {
  return agentScenario ?? defaultScenarioName;
}
