import { describe, expect, it } from "vitest";

import { readYaml, writeYaml } from "./yaml-text.ts";

describe("a part of a document as YAML", () => {
  it("[BUILD-1] is the same after it was written and read, and nothing where it is empty", () => {
    const rules = {
      fallback: "Sorry?",
      intents: { balance: { examples: ["my balance"], say: "It is {{ x }}." }, bye: null },
    };
    expect(readYaml(writeYaml(rules))).toEqual({ value: rules, problem: undefined });
    expect(readYaml("  \n")).toEqual({ value: undefined, problem: undefined });
  });

  it.each([
    ["a: 1\nb: [1", "Line 2"],
    ["a: [1", "Line 1"],
    ["just words", "Names with values"],
    ["- one", "Names with values"],
  ])("says what cannot be read of %j", (text, problem) => {
    expect(readYaml(text).problem).toContain(problem);
  });
});
