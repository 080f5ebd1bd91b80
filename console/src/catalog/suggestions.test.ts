import { describe, expect, it } from "vitest";

import { countPhrases, suggestions } from "./suggestions.ts";

const agent = (name: string, ...examples: string[]) => ({ name, description: "", examples });
const agents = [
  agent("front_desk", "hello", "opening hours", "a person please", "a fourth"),
  agent("banking", "my balance", "my payments"),
  agent("fraud", "block my card", "hello"),
  agent("elsewhere", "not in this scenario"),
];
const scenario = {
  name: "bank",
  description: "",
  agents: ["front_desk", "banking", "fraud"],
  start_agent: "front_desk",
};

describe("suggestions", () => {
  it("begin with the start agent's and go on with its colleagues' in turn", () => {
    expect(suggestions({ agents, scenario, activeAgent: undefined })).toEqual([
      "hello",
      "opening hours",
      "a person please",
      "my balance",
      "block my card",
    ]);
  });

  it("follow the agent who is talking", () => {
    expect(suggestions({ agents, scenario, activeAgent: "banking" })).toEqual([
      "my balance",
      "my payments",
      "hello",
      "block my card",
      "opening hours",
    ]);
  });

  it("are built in where the agents have no examples", () => {
    expect(suggestions({ agents: [], scenario: undefined, activeAgent: undefined })).toContain("I lost my card");
  });

  it("count each phrase once", () => {
    expect(countPhrases(agents)).toBe(8);
  });
});
