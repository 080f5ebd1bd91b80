import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { describe, expect, it } from "vitest";
import { createLiveCatalog } from "./session-catalogs.ts";

const known = { tools: builtInTools, mcpServers: [] };
const catalog = await loadCatalog([builtInCatalogDir()], known);
const sessionId = "session-0123456789";

function sources(environment: Record<string, string> = {}) {
  const state = createMemoryState({ clock: new VirtualClock(), logger: silentLogger });
  const settings = loadSettings(environment);
  return { settingsNow: () => settings, state, catalog, known, logger: silentLogger };
}

describe("the agent and scenario that a session begins with", () => {
  it("prefers what the session has, then the address, then the setting, then the default", async () => {
    const plain = sources();
    const configured = sources({ AGENT_SCENARIO: "insurance" });
    const scenarioOf = async (from: ReturnType<typeof sources>, wish: object): Promise<string> =>
      (await createLiveCatalog(from).compile(sessionId, wish)).scenario.name;
    expect(await scenarioOf(plain, {})).toBe("default");
    expect(await scenarioOf(configured, {})).toBe("insurance");
    expect(await scenarioOf(configured, { asked: "banking" })).toBe("banking");
    expect(await scenarioOf(configured, { asked: "banking", remembered: "default" })).toBe("default");
  });

  it("takes what the client configures in so many words before anything else", async () => {
    const config = { type: "config", scenario: "banking" } as const;
    const compiled = await createLiveCatalog(sources(), config).compile(sessionId, { remembered: "insurance" });
    expect(compiled.scenario.name).toBe("banking");
  });

  it("begins with the agent that was made for the session", async () => {
    const from = sources();
    await from.state.agents.create(sessionId, "night-desk", {
      name: "night-desk",
      prompt: "You answer calls at night.",
    });
    const { scenario, agent } = await createLiveCatalog(from).compile(sessionId, {});
    expect(scenario.startAgent).toBe("night-desk");
    expect(agent("night-desk")).toBeDefined();
  });

  it("leaves out what was made for the session and no longer passes its check, and begins without it", async () => {
    const from = sources();
    const agent = { name: "night-desk", prompt: "You answer calls at night.", tools: ["a_tool_that_was_removed"] };
    await from.state.agents.create(sessionId, "night-desk", agent);
    await from.state.scenarios.create(sessionId, "night", {
      name: "night",
      agents: ["night-desk"],
      start_agent: "night-desk",
    });
    await from.state.agents.putOverride("front-desk", 0, { voice: { pace: "fast" } });
    const compiled = await createLiveCatalog(from).compile(sessionId, { remembered: "night" });
    expect(compiled.scenario.name).toBe("default");
    expect(compiled.agent("night-desk")).toBeUndefined();
  });

  it("refuses a scenario that does not exist", async () => {
    await expect(createLiveCatalog(sources()).compile(sessionId, { asked: "nowhere" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
