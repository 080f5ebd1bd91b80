import { describe, expect, it } from "vitest";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { checkSessionAgent } from "@voice/shared/catalog/session-documents";
import { atOnce } from "@voice/shared/platform/steps";
import { definitionOf } from "./agent-definition.ts";

const code = { tools: demoTools, mcpServers: [] };
const catalog = await loadCatalog(demoCatalogDirs, code, { language: catalogLanguage });
const known = withCatalogTools(code, catalog);

describe("an agent's definition", () => {
  it.each([...catalog.agents.values()].map((agent) => [agent.name, agent] as const))(
    "of %s makes the same agent in a session",
    (_, agent) => {
      // As it goes through a request.
      const document: unknown = JSON.parse(JSON.stringify(definitionOf(agent)));
      const made = atOnce(checkSessionAgent(document, catalog, known));
      if (!made.ok) throw new Error(JSON.stringify(made.problems));
      const { written: _written, configPath: _config, promptPath: _prompt, rules, ...same } = agent;
      expect(made.value).toMatchObject(JSON.parse(JSON.stringify(same)));
      expect(made.value.rules?.suggestions).toEqual(rules?.suggestions);
    },
  );

  it("keeps a custom voice, which an agent of a session may have as well, and no other custom voice", () => {
    const agent = catalog.agents.get("card-specialist");
    if (agent === undefined) throw new Error("it is built in");
    const custom = { name: "HarborNeural", endpoint_id: "harbor-voice" };
    const written = { config: { ...agent.written?.config, voice: custom }, rules: () => ({}) };
    const definition = definitionOf({ ...agent, written });
    expect(definition).toMatchObject({ voice: { voice_name: "HarborNeural", endpoint_id: "harbor-voice" } });
    const speaksWithIt = { ...agent, voice: { name: "HarborNeural", endpointId: "harbor-voice" } };
    const withIt = { ...catalog, agents: new Map([...catalog.agents, [agent.name, speaksWithIt]]) };
    expect(atOnce(checkSessionAgent(definition, withIt, known))).toMatchObject({
      ok: true,
      value: { voice: { endpointId: "harbor-voice" } },
    });
    expect(atOnce(checkSessionAgent(definition, catalog, known))).toMatchObject({
      ok: false,
      problems: [{ field: "voice.endpoint_id" }],
    });
  });

  it("has a voice in the words of a request", () => {
    const agent = catalog.agents.get("card-specialist");
    if (agent === undefined) throw new Error("it is built in");
    expect(definitionOf(agent)).toMatchObject({
      name: "card-specialist",
      voice: { voice_name: "en-US-AndrewMultilingualNeural" },
      rules: { intents: expect.anything() },
    });
  });
});
