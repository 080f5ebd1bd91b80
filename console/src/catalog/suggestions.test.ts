import { describe, expect, it } from "vitest";

import { suggestions } from "./suggestions.ts";

const agent = (name: string, ...examples: string[]) => ({ name, description: "", examples, phrase_count: 0 });
const agents = [
  agent("front_desk", "a person please", "where are you", "i have a complaint", "i lost my card", "what can you do"),
  agent("banking", "a person please", "what is my balance", "i want to see my payments", "what can you do"),
  agent("fraud", "a person please", "i lost my card", "block my card", "what can you do"),
  agent("elsewhere", "not in this scenario"),
];
const scenario = {
  name: "bank",
  description: "",
  agents: ["front_desk", "banking", "fraud"],
  start_agent: "front_desk",
};

describe("suggestions", () => {
  it("begin with what the start agent is there for and go on with what only its colleagues do, in turn", () => {
    expect(suggestions({ agents, scenario, activeAgent: undefined })).toEqual([
      "I lost my card",
      "I have a complaint",
      "Where are you?",
      "What is my balance?",
      "Block my card",
    ]);
  });

  it("follow the agent who is talking", () => {
    expect(suggestions({ agents, scenario, activeAgent: "banking" }).slice(0, 2)).toEqual([
      "I want to see my payments",
      "What is my balance?",
    ]);
  });

  it("fill up with what every agent understands where there are no colleagues", () => {
    const alone = { ...scenario, agents: ["front_desk"] };
    expect(suggestions({ agents, scenario: alone, activeAgent: undefined }).slice(3)).toEqual([
      "A person please",
      "What can you do?",
    ]);
  });

  it("are built in where the agents have no examples", () => {
    expect(suggestions({ agents: [], scenario: undefined, activeAgent: undefined })).toContain("I lost my card");
  });
});
