import { describe, expect, it } from "vitest";
import { createSentenceGraph } from "./sentence-graph.ts";

const examples = [
  "I want to check my balance",
  "what is my balance",
  "what is my balance today",
  "my code is {digits 4}",
];
const graph = createSentenceGraph({ examples, phrases: [] });

describe("sentence graph", () => {
  it.each([
    ["i want to check my balance", "whole"],
    ["i want to check my balance please", "whole"],
    ["um i want to check my balance", "whole"],
    ["what is my balance", "whole-so-far"],
    ["what is my balance today", "whole"],
    ["i want to check", "beginning"],
    ["i want to check my balance and", "beginning"],
    ["i want to check my balance and also what is my balance today", "whole"],
    ["my code is seven two", "whole-so-far"],
    ["yes", "whole"],
    ["balance my what", undefined],
    ["i want to check today", undefined],
    ["", undefined],
  ])("%j is %s", (text, state) => {
    expect(graph.stateOf(text)).toBe(state);
  });
});
