import { describe, expect, it } from "vitest";
import { demoCatalogDirs, demoTools } from "../demo/demo-parts.ts";
import { contextOfCall, memoryOfContext } from "../conversation/call-context.ts";
import { compileSessionCatalog } from "./compile-session-catalog.ts";
import { loadCatalog } from "./load-catalog.ts";

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] });

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

  it.each([...catalog.scenarios.keys()])("[OUT-6d] lets the first agent of %s say why it is we who call", (name) => {
    const session = compileSessionCatalog(catalog, { scenario: name });
    const first = session.agent(session.scenario.startAgent);
    if (first === undefined) expect.fail("the scenario has no such agent");
    const memory = memoryOfContext({ caller_name: "Pat", purpose: "your new card" });
    const greeting = session.renderGreeting(first, { memory, isReturn: false });
    expect(greeting).toMatch(/^Hello Pat, this is Harbor \w+\. I am calling about your new card\./);
    expect(session.renderGreeting(first, { memory: {}, isReturn: false })).toMatch(
      /^(?:Thank you for calling|Welcome to) Harbor \w+\. /,
    );
  });

  it.each([...catalog.scenarios.keys()])(
    "[OUT-6d] lets the first agent of %s thank nobody for calling whom we call",
    (name) => {
      const session = compileSessionCatalog(catalog, { scenario: name });
      const first = session.agent(session.scenario.startAgent);
      if (first === undefined) expect.fail("the scenario has no such agent");
      const memory = memoryOfContext(contextOfCall({ direction: "outbound", context: { caller_name: "Pat" } }));
      const greeting = session.renderGreeting(first, { memory, isReturn: false });
      expect(greeting).toMatch(
        /^Hello Pat, this is Harbor \w+\. I can [\w ,]+\. (?:How|What) can I (?:help|do for) you(?: today)?\?$/,
      );
    },
  );
});
