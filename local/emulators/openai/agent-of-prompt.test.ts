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
