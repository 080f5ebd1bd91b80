import { describe, expect, it } from "vitest";

import { suggestions } from "./suggestions.ts";

const agent = (name: string, ...examples: string[]) => ({ name, description: "", examples, phrase_count: 0 });
const agents = [
  agent(
    "front_desk",
    "a person please",
    "what are your opening hours",
    "where are you",
    "i have a complaint",
    "who is it",
  ),
  agent("banking", "a person please", "what is my balance", "i want to see my payments"),
  agent("fraud", "a person please", "i lost my card", "what are your opening hours"),
  agent("elsewhere", "not in this scenario"),
];
const scenario = {
  name: "bank",
  description: "",
  agents: ["front_desk", "banking", "fraud"],
  start_agent: "front_desk",
};

describe("suggestions", () => {
  it("begin with what only the start agent does and go on with its colleagues' in turn", () => {
    expect(suggestions({ agents, scenario, activeAgent: undefined })).toEqual([
      "Where are you?",
      "I have a complaint",
      "Who is it?",
      "What is my balance?",
      "I lost my card",
    ]);
  });

  it("follow the agent who is talking", () => {
    expect(suggestions({ agents, scenario, activeAgent: "banking" }).slice(0, 2)).toEqual([
      "What is my balance?",
      "I want to see my payments",
    ]);
  });

  it("fill up with more of the agent's own where it has no colleagues", () => {
    expect(
      suggestions({ agents, scenario: { ...scenario, agents: ["front_desk"] }, activeAgent: undefined }),
    ).toHaveLength(5);
  });

  it("are built in where the agents have no examples", () => {
    expect(suggestions({ agents: [], scenario: undefined, activeAgent: undefined })).toContain("I lost my card");
  });
});
