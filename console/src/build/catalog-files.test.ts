import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import { readKnowledge } from "@voice/shared/knowledge/read-knowledge";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";

import { catalogArchive } from "./catalog-archive.ts";
import { agentFiles, routeFiles, scenarioFiles } from "./catalog-files.ts";

const agent = {
  name: "night-desk",
  description: "Answers at night.",
  greeting: "Good evening: who is it?",
  prompt: "You answer calls at night.\nBe brief.",
  tools: ["end_call"],
  model: { temperature: 0.2, cascade: { deployment_id: "gpt-night" }, realtime: { deployment_id: "rt-night" } },
  voice: { voice_name: "en-US-AvaMultilingualNeural", voice_rate: "+5%" },
  speech: { phrases: ["Harbor Bank", "yes"] },
  rules: { intents: { hello: { examples: ["hello there"], say: "Hi." } } },
  guardrails: { model_talk: null },
};

const scenario = {
  name: "night",
  description: "Only at night.",
  agents: ["night-desk"],
  start_agent: "night-desk",
  handoffs: [{ from: "night-desk", to: "night-desk", tool: null, type: "discrete", share_context: true }],
};

describe("the files of a catalog", () => {
  const row = { number: ["+12025550100"], scenario: "night", hours: { mon: ["08:00-12:00"] }, closed: { say: "No." } };
  const files = {
    ...agentFiles(agent),
    ...scenarioFiles({ ...scenario, handoffs: [] }),
    ...routeFiles([row]),
  };

  it("[BUILD-4] are read as what they were made of", async () => {
    const unpacked = Object.entries(unzipSync(catalogArchive(files))).map(
      ([path, bytes]) => [path, strFromU8(bytes)] as const,
    );
    const builtIn = await Promise.all(demoCatalogDirs.map(readCatalogFiles));
    const catalog = parseCatalog(
      [...builtIn, new Map(unpacked)],
      { tools: demoTools, mcpServers: [] },
      {
        knowledge: await readKnowledge(demoCatalogDirs),
        language: catalogLanguage,
        agentDefaults: {
          model: { cascade: { deployment_id: "any" }, realtime: { deployment_id: "any" } },
          voice: { name: "any" },
        },
      },
    );
    expect(catalog.agents.get("night-desk")).toMatchObject({
      description: agent.description,
      greeting: agent.greeting,
      prompt: agent.prompt,
      tools: agent.tools,
      model: {
        cascade: { deploymentId: "gpt-night", temperature: 0.2 },
        realtime: { deploymentId: "rt-night", temperature: 0.2 },
      },
      voice: { name: "en-US-AvaMultilingualNeural", rate: "+5%" },
      speech: { phrases: ["Harbor Bank", "yes"] },
      rules: { suggestions: expect.arrayContaining(["hello there"]) },
    });
    expect(catalog.routes.map(({ written }) => written)).toEqual([{ ...row, closed_on: [] }]);
    expect(catalog.scenarios.get("night")).toMatchObject({ startAgent: "night-desk", agents: ["night-desk"] });
  });

  it("keep the null that removes a default, and leave out what says nothing", () => {
    expect(files["agents/night-desk/agent.yaml"]).toContain("model_talk: null");
    const written = scenarioFiles(scenario)["scenarios/night.yaml"];
    expect(written).toContain("type: discrete");
    expect(written).not.toMatch(/null|share_context/);
  });
});
