import { describe, expect, it } from "vitest";
import { describeScenario, reachableAgents } from "./handoff-graph.ts";
import type { Scenario } from "./scenario.ts";

const scenario: Scenario = {
  name: "shop",
  description: "A shop.",
  agents: ["desk", "expert", "hermit"],
  startAgent: "desk",
  handoffs: [
    { from: "desk", to: "expert", tool: "handoff_expert", type: "announced", shareContext: true },
    { from: "expert", to: "desk", type: "discrete", shareContext: false },
  ],
  templateVars: {},
};

describe("the handoff graph", () => {
  it("shows which agent may hand over to which, and which are never reached", () => {
    expect(describeScenario(scenario)).toEqual([
      "shop: A shop.",
      "  desk [start]",
      "    → expert (announced, handoff_expert)",
      "  expert",
      "    → desk (discrete, no shared context)",
      "  hermit [CANNOT BE REACHED]",
    ]);
    expect([...reachableAgents(scenario)]).toEqual(["desk", "expert"]);
  });
});
