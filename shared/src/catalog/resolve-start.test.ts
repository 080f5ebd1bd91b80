import { describe, expect, it } from "vitest";
import { resolveStart, type StartRequest } from "./resolve-start.ts";

const scenarios = [
  { name: "default", startAgent: "desk" },
  { name: "banking", startAgent: "concierge" },
  { name: "Mine", startAgent: "helper" },
];
const known = {
  scenario: (name: string) => scenarios.find((scenario) => scenario.name.toLowerCase() === name.toLowerCase()),
  agent: (name: string) => ["desk", "concierge", "card"].find((agent) => agent === name.toLowerCase()),
};

describe("resolveStart", () => {
  it.each<[string, StartRequest, { scenario: string; agent: string }]>([
    ["the default with nothing else", {}, { scenario: "default", agent: "desk" }],
    ["the setting over the default", { settingScenario: "BANKING" }, { scenario: "banking", agent: "concierge" }],
    [
      "the client's wish over the setting",
      { queryScenario: "mine", settingScenario: "banking" },
      { scenario: "Mine", agent: "helper" },
    ],
    [
      "the session's scenario over the client's wish",
      { sessionScenario: "banking", queryScenario: "mine" },
      { scenario: "banking", agent: "concierge" },
    ],
    [
      "the session's agent over all",
      { sessionAgent: "CARD", sessionScenario: "banking" },
      { scenario: "banking", agent: "card" },
    ],
    ["the session's agent without its scenario", { sessionAgent: "card" }, { scenario: "default", agent: "card" }],
    [
      "the start agent when the session's is gone",
      { sessionAgent: "gone", sessionScenario: "banking" },
      { scenario: "banking", agent: "concierge" },
    ],
    [
      "the client's wish when the session's scenario is gone",
      { sessionScenario: "gone", queryScenario: "mine" },
      { scenario: "Mine", agent: "helper" },
    ],
  ])("takes %s", (_what, request, expected) => {
    expect(resolveStart(request, known)).toEqual(expected);
  });

  it("never replaces what a client or an operator named", () => {
    expect(() => resolveStart({ queryScenario: "nowhere" }, known)).toThrow(
      expect.objectContaining({ code: "not_found", fields: [expect.objectContaining({ field: "scenario" })] }),
    );
    expect(() => resolveStart({ settingScenario: "nowhere" }, known)).toThrow(/"nowhere" does not exist/);
  });
});
