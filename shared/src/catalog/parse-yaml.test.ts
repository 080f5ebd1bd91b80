import { expect, it } from "vitest";
import { parseYaml } from "./parse-yaml.ts";
import { problemLine, type CatalogProblem } from "./problems.ts";

function problemsOf(text: string): readonly string[] {
  const problems: CatalogProblem[] = [];
  expect(parseYaml("agent.yaml", text, problems)).toBeUndefined();
  return problems.map(problemLine);
}

it("reads keys and values, aliases included", () => {
  const problems: CatalogProblem[] = [];
  expect(parseYaml("agent.yaml", "one: &words [hello]\ntwo: *words\n", problems)).toEqual({
    one: ["hello"],
    two: ["hello"],
  });
  expect(parseYaml("agent.yaml", "", problems)).toEqual({});
  expect(problems).toEqual([]);
});

it("names the file of an alias that cannot be followed", () => {
  expect(problemsOf("phrases: [*harbor]\n")).toEqual([
    "agent.yaml: Unresolved alias (the anchor must be set before the alias): harbor",
  ]);
  expect(problemsOf("template_vars: &vars { more: *vars }\n")).toEqual([
    "agent.yaml: an alias (*) stands within its own anchor (&)",
  ]);
  const tens = (name: string) => Array.from({ length: 10 }, () => `*${name}`).join(", ");
  expect(problemsOf(`a: &a [1]\nb: &b [${tens("a")}]\nc: &c [${tens("b")}]\nd: [${tens("c")}]\n`)).toEqual([
    "agent.yaml: Excessive alias count indicates a resource exhaustion attack",
  ]);
});

it("refuses a tag, because it would have no effect", () => {
  expect(problemsOf("description: Desk.\ngreeting: !env GREETING\n")).toEqual([
    "agent.yaml: Unresolved tag: !env (line 2)",
  ]);
});

it("refuses what is no list of keys and values", () => {
  expect(problemsOf("- one\n- two\n")).toEqual(["agent.yaml: expected keys and values"]);
});
