import { describe, expect, it } from "vitest";
import { ReleasedCatalogs } from "@voice/shared/catalog/released-catalogs";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { Dependencies } from "../dependencies.ts";
import { agentsOf } from "./agent-catalog.ts";
import { findKnownScenario } from "./scenario-catalog.ts";

const knownTools = { tools: demoTools, mcpServers: [] };
const catalog = await loadCatalog(demoCatalogDirs, knownTools);
const sessionId = "session-0123456789";

describe("what a session made for itself", () => {
  it("is left out, as in a conversation, when it no longer passes its check", async () => {
    const state = createMemoryState({ clock: new VirtualClock() });
    const dependencies: Pick<Dependencies, "state" | "releases" | "knownTools" | "logger"> = {
      state,
      releases: new ReleasedCatalogs(catalog, knownTools, { store: state.releases, logger: silentLogger }),
      knownTools,
      logger: silentLogger,
    };
    const prompt = "You answer calls at night.";
    await state.agents.create(sessionId, "night-desk", { name: "night-desk", prompt, tools: ["a_removed_tool"] });
    await state.agents.create(sessionId, "day-desk", { name: "day-desk", prompt });
    const night = { name: "night", agents: ["night-desk"], start_agent: "night-desk" };
    await state.scenarios.create(sessionId, "night", night);
    await state.agents.putOverride("front-desk", 0, { voice: { pace: "fast" } });

    const agents = await agentsOf(sessionId, dependencies);
    expect(agents.filter(({ source }) => source === "session").map(({ agent }) => agent.name)).toEqual(["day-desk"]);
    expect(agents.find(({ agent }) => agent.name === "front-desk")?.agent).toMatchObject({
      voice: catalog.agents.get("front-desk")?.voice,
    });
    expect(await findKnownScenario("night", sessionId, dependencies)).toBeUndefined();
  });
});
