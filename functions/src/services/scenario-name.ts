import type { Catalog } from "@voice/shared/catalog/catalog";
import { defaultScenarioOf } from "@voice/shared/catalog/resolve-scenario";
import type { Settings } from "@voice/shared/config/settings";

/** The name of the scenario for whoever asks for none. The start has checked that there is one (`requireCatalogOfSettings`). */
export function scenarioNameOf({ agentScenario }: Pick<Settings, "agentScenario">, catalog: Catalog): string {
  return agentScenario ?? defaultScenarioOf(catalog) ?? "default";
}
