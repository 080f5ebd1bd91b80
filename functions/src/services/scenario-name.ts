import { defaultScenarioName } from "@voice/shared/catalog/resolve-scenario";
import type { Settings } from "@voice/shared/config/settings";

/** The name of the default scenario. */
export function scenarioNameOf({ agentScenario }: Pick<Settings, "agentScenario">): string {
  return agentScenario ?? defaultScenarioName;
}
