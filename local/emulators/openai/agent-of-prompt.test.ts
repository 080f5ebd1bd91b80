import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { describe, expect, it } from "vitest";
import { agentOfPrompt } from "./agent-of-prompt.ts";

describe("the agent of a prompt", () => {
  it("is found for every built-in agent by the lines of its prompt", async () => {
    const { agents } = await loadCatalog(
      [builtInCatalogDir()],
      { tools: builtInTools, mcpServers: [] },
      { language: catalogLanguage },
    );
    const agentOf = agentOfPrompt([...agents.values()]);
    for (const { name, prompt } of agents.values()) {
      const content = prompt.replaceAll(/\{\{.*?\}\}/g, "Contoso Bank");
      expect(agentOf({ model: "any", messages: [{ role: "system", content }] }).agent.name).toBe(name);
    }
  });

  it("has no rules when nobody has such a prompt", () => {
    const found = agentOfPrompt([])({ model: "any", messages: [{ role: "system", content: "You are nobody." }] });
    expect(found.agent.rules).toBeUndefined();
  });
});
