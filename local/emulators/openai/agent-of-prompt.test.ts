import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { agentDefaults, unsetModels, unsetVoice } from "@voice/shared/catalog/agent-defaults";
import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { builtInCatalogDir, readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { describe, expect, it } from "vitest";
import { agentOfPrompt } from "./agent-of-prompt.ts";

describe("the agent of a prompt", () => {
  it("is found for every built-in agent by the lines of its prompt", async () => {
    const { agents } = await loadCatalog(
      demoCatalogDirs,
      { tools: demoTools, mcpServers: [] },
      { language: catalogLanguage },
    );
    const agentOf = agentOfPrompt([...agents.values()]);
    for (const { name, prompt } of agents.values()) {
      const content = prompt.replaceAll(/\{\{.*?\}\}/g, "Contoso Bank");
      expect(agentOf({ model: "any", messages: [{ role: "system", content }] }).agent.name).toBe(name);
    }
  });

  it("is found where every line of it has a variable or a condition in it", async () => {
    const desk = ["You are the desk of {{ praxis }}.", "Be {% if memory.late %}quick{% else %}kind{% endif %}."].join(
      "\n",
    );
    const files = new Map([
      ["agents/desk/agent.yaml", "description: Receives callers.\ntemplate_vars: { praxis: Weiss }\n"],
      ["agents/desk/prompt.md", desk],
      ["agents/other/agent.yaml", "description: Does not.\ntemplate_vars: { praxis: Weiss }\n"],
      ["agents/other/prompt.md", "You are the lab of {{ praxis }}."],
    ]);
    const common = await readCatalogFiles(builtInCatalogDir());
    const { agents } = parseCatalog(
      [common, files],
      { tools: demoTools, mcpServers: [] },
      { agentDefaults: agentDefaults(unsetVoice, unsetModels), language: catalogLanguage },
    );
    const agentOf = agentOfPrompt([...agents.values()]);
    const found = (content: string): string =>
      agentOf({ model: "any", messages: [{ role: "system", content }] }).agent.name;
    expect(found("You are the desk of Dr. Weiss.\nBe kind.")).toBe("desk");
    expect(found("You are the lab of Dr. Weiss.")).toBe("other");
    expect(found("You are nobody.")).toBe("");
  });

  it.each([
    ["knows that the caller was verified", '{"success":true}', { identity_verified: true }],
    ["knows that the caller was not", '{"success":false,"error":"wrong_details"}', {}],
    ["makes nothing of a result that was cut", '{"success":tr', {}],
  ])("%s by what the tool said", (_name, content, memory) => {
    const call = { id: "1", type: "function" as const, function: { name: "verify_identity", arguments: "{}" } };
    const messages = [
      { role: "assistant" as const, content: null, tool_calls: [call] },
      { role: "tool" as const, tool_call_id: "1", content },
    ];
    expect(agentOfPrompt([])({ model: "any", messages }).memory).toEqual(memory);
  });

  it("has no rules when nobody has such a prompt", () => {
    const found = agentOfPrompt([])({ model: "any", messages: [{ role: "system", content: "You are nobody." }] });
    expect(found.agent.rules).toBeUndefined();
  });
});
