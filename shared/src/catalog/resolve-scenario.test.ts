import { describe, expect, it } from "vitest";
import { resolveScenario, type ScenarioRequest } from "./resolve-scenario.ts";

const find = (name: string): string | undefined =>
  ["default", "banking", "Mine"].find((scenario) => scenario.toLowerCase() === name.toLowerCase());

describe("the scenario of a conversation", () => {
  it.each<[string, ScenarioRequest, string]>([
    ["the setting where nobody names another", { settingScenario: "default" }, "default"],
    ["the client's wish over the setting", { queryScenario: "mine", settingScenario: "banking" }, "Mine"],
    [
      "the session's own over the client's wish",
      { sessionScenario: "banking", queryScenario: "mine", settingScenario: "default" },
      "banking",
    ],
    [
      "the client's wish when the session's own is gone",
      { sessionScenario: "gone", queryScenario: "mine", settingScenario: "default" },
      "Mine",
    ],
  ])("is %s", (_what, request, expected) => {
    expect(resolveScenario(request, find)).toBe(expected);
  });

  it("never replaces what a client or an operator named", () => {
    expect(() => resolveScenario({ queryScenario: "nowhere", settingScenario: "default" }, find)).toThrow(
      expect.objectContaining({ code: "not_found", fields: [expect.objectContaining({ field: "scenario" })] }),
    );
    expect(() => resolveScenario({ settingScenario: "nowhere" }, find)).toThrow(/"nowhere" does not exist/);
  });
});
