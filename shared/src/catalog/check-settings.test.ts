import { describe, expect, it } from "vitest";
import { loadCatalog } from "./load-catalog.ts";
import { requireCatalogOfSettings } from "./check-settings.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { demoCatalogDirs, demoTools } from "../demo/demo-parts.ts";

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] });

describe("the scenarios that settings name", () => {
  it("may be in the catalog, in any letter case", () => {
    const commScenarios = new Map([
      ["+12025550100", { scenario: "Insurance" }],
      ["+12025550101", { scenario: "insurance", agent: "claims-intake" }],
    ]);
    expect(() =>
      requireCatalogOfSettings(catalog, {
        agentScenario: "banking",
        commScenarios,
        commVoicemailMessage: "This is {{ institution_name }}.",
      }),
    ).not.toThrow();
  });

  it("[IN-4] stop the start, all of them named, where they are not", () => {
    const commScenarios = new Map([
      ["+12025550100", { scenario: "insurrance" }],
      ["+12025550101", { scenario: "banking", agent: "claims-intake" }],
    ]);
    const check = (): void =>
      requireCatalogOfSettings(catalog, {
        agentScenario: "bankng",
        commScenarios,
        commVoicemailMessage: "{{ nobody }}",
      });
    expect(check).toThrow(ConfigurationError);
    expect(check).toThrow(
      /AGENT_SCENARIO: .*"bankng"[^]*COMM_SCENARIOS: .*"insurrance"[^]*"claims-intake" is not an agent[^]*COMM_VOICEMAIL_MESSAGE: unknown variable nobody/,
    );
  });
});
