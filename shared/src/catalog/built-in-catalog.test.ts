import { describe, expect, it } from "vitest";
import { builtInTools } from "../tools/built-in-tools.ts";
import { compileSessionCatalog } from "./compile-session-catalog.ts";
import { loadCatalog } from "./load-catalog.ts";
import { builtInCatalogDir } from "./read-catalog.ts";

const catalog = await loadCatalog([builtInCatalogDir()], { tools: builtInTools, mcpServers: [] });

describe("the built-in catalog", () => {
  it.each([...catalog.scenarios.keys()])("lets a caller reach every agent of %s", (name) => {
    const session = compileSessionCatalog(catalog, { scenario: name });
    const reached = new Set([session.scenario.startAgent]);
    for (const agent of reached) for (const edge of session.edgesFrom(agent)) reached.add(edge.to);
    expect([...reached].toSorted()).toEqual(session.scenario.agents.toSorted());
  });

  it("gives every agent its own voice within a scenario", () => {
    for (const scenario of catalog.scenarios.values()) {
      const voices = scenario.agents.map((agent) => catalog.agents.get(agent.toLowerCase())?.voice.name);
      expect([...new Set(voices)]).toEqual(voices);
    }
  });
});
