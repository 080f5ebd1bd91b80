import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { expect, it } from "vitest";
import { createCatalogSettingsNow } from "./catalog-settings-now.ts";

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] });

function host() {
  const settings = loadSettings({ AGENT_SCENARIO: "insurance" });
  let now = settings;
  const problems: unknown[] = [];
  const logger = { ...silentLogger, error: (fields: object) => void problems.push(fields) };
  return {
    problems,
    set: (environment: Record<string, string>) => void (now = loadSettings(environment)),
    settingsNow: createCatalogSettingsNow({ settings, settingsNow: () => now, logger }, catalog),
  };
}

it("takes another scenario and another voicemail message as soon as they are set", () => {
  const { set, settingsNow } = host();
  expect(settingsNow().agentScenario).toBe("insurance");
  set({ AGENT_SCENARIO: "Banking", COMM_VOICEMAIL_MESSAGE: "Hello from {{ agent_name }}." });
  expect(settingsNow()).toMatchObject({
    agentScenario: "Banking",
    commVoicemailMessage: "Hello from {{ agent_name }}.",
  });
  set({});
  expect(settingsNow().agentScenario).toBeUndefined();
});

it("keeps the last valid settings when new ones name something unknown, and logs it once", () => {
  const { problems, set, settingsNow } = host();
  set({ AGENT_SCENARIO: "nowhere" });
  for (let conversation = 0; conversation < 3; conversation += 1) expect(settingsNow().agentScenario).toBe("insurance");
  expect(problems).toEqual([{ problems: [expect.stringContaining('AGENT_SCENARIO: there is no scenario "nowhere"')] }]);
  set({ AGENT_SCENARIO: "banking", COMM_VOICEMAIL_MESSAGE: "{{ nobody }}" });
  expect(settingsNow().agentScenario).toBe("insurance");
  expect(problems).toHaveLength(2);
  set({ AGENT_SCENARIO: "banking" });
  expect(settingsNow().agentScenario).toBe("banking");
});
