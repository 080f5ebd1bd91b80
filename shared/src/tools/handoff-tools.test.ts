import { describe, expect, it } from "vitest";
import { compileSessionCatalog } from "../catalog/compile-session-catalog.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { agentTools } from "./agent-tools.ts";
import { demoCatalogDirs, demoTools } from "../demo/demo-parts.ts";
import { toolSchema } from "./define-tool.ts";
import { genericHandoffTool, handoffTools } from "./handoff-tools.ts";
import { runTools } from "./run-tools.ts";

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] });
const session = compileSessionCatalog(catalog, { scenario: "banking" });
const tools = new Map(handoffTools(session, "banking-concierge").map((tool) => [tool.name, tool]));

async function call(name: string, args: object) {
  const [result] = await runTools([{ id: "1", name, argumentsJson: JSON.stringify(args) }], {
    tools,
    context: { sessionId: "s", turnId: "t", agent: "banking-concierge", memory: {}, clock: new VirtualClock(), checks },
    interrupted: new AbortController().signal,
  });
  return result;
}

const checks = { showsCodes: false, countTry: () => Promise.resolve(1), clearTries: () => Promise.resolve() };

describe("the tools by which an agent hands over", () => {
  it("are the generic one for every edge, and the triggers of the edges that have one", () => {
    expect([...tools.keys()]).toEqual([
      genericHandoffTool,
      "handoff_card_specialist",
      "handoff_investment_advisor",
      "handoff_fraud_specialist",
    ]);
    const generic = tools.get(genericHandoffTool);
    expect(generic === undefined ? {} : toolSchema(generic)).toMatchObject({
      required: ["target_agent", "reason"],
      properties: { target_agent: { enum: ["card-specialist", "investment-advisor", "fraud-specialist"] } },
    });
    expect(generic?.description).toContain("the caller does not recognize a charge");
  });

  it("return the typed effect, with the trigger that was used", async () => {
    expect(await call("handoff_card_specialist", { reason: "Lost a card.", context: "The blue one." })).toMatchObject({
      result: { success: true, handoff: true, previous_agent: "banking-concierge", target_agent: "card-specialist" },
      effects: [
        {
          type: "handoff",
          to: "card-specialist",
          reason: "Lost a card.",
          context: { handoff_summary: "The blue one." },
          trigger: "handoff_card_specialist",
        },
      ],
    });
    const generic = await call(genericHandoffTool, { target_agent: "fraud-specialist", reason: "Fraud." });
    expect(generic?.effects).toEqual([
      { type: "handoff", to: "fraud-specialist", reason: "Fraud.", context: {}, trigger: undefined },
    ]);
  });

  it("lead only where the scenario does", async () => {
    const refused = await call(genericHandoffTool, { target_agent: "front-desk", reason: "Home." });
    expect(refused).toMatchObject({ status: "error", result: { error: "invalid_arguments" }, effects: [] });
    const alone = { ...session.scenario, handoffs: [] };
    const closed = compileSessionCatalog(catalog, { scenario: "banking", sessionScenarios: [alone] });
    expect(handoffTools(closed, "banking-concierge")).toEqual([]);
  });

  it("stand beside the agent's own tools, as far as those exist right now", () => {
    const agent = session.agent("fraud-specialist");
    if (agent === undefined) throw new Error("the agent is missing");
    const source = { get: (name: string) => (name === "block_card" ? demoTools.get(name) : undefined) };
    expect([...agentTools(source, session, agent).keys()]).toEqual([
      "block_card",
      genericHandoffTool,
      "handoff_banking_concierge",
    ]);
  });
});
