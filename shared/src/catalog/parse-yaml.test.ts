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
    "agent.yaml: a tag (!) has no effect here: put text that begins with ! in quotes (line 2)",
  ]);
});

it("refuses what is no list of keys and values", () => {
  expect(problemsOf("- one\n- two\n")).toEqual(["agent.yaml: expected keys and values"]);
});

it.each([
  ["greeting: Hello: how are you", "has a colon in it"],
  ["greeting: {{ name }} here", "begins with {"],
  ["greeting: {{ name }}", "begins with {"],
  ["greeting: {% if name %}Hi{% endif %}", "begins with {"],
  ["greeting: [Name], hello", "begins with ["],
  ["greeting: *important* notice", "begins with *"],
  ["greeting: @home is here", "begins with @"],
  ["greeting: - hello", "begins with -"],
  ["say: { text: hello: you }", "within the brackets has a colon in it"],
])("[MAKER-1] says that a text has to be put in quotes, with its line: %s", (line, what) => {
  expect(problemsOf(`description: Desk.\n${line}\ntools: [end_call]\n`)).toEqual([
    `agent.yaml: the text ${what}, which means something in YAML: put it in quotes (line 2)`,
  ]);
});

it.each([
  ["speech:\n\tlanguage: de-DE\n", "the line begins with a tab: indent it with spaces (line 2)"],
  ["speech:\n  language: de\n rate: 3\n", "the line is indented differently from those that belong to it (line 3)"],
  ["tools:\n  - a\n - b\n", "the line is indented differently from those that belong to it (line 3)"],
  ["greeting:hello\ntools: [a]\n", 'a space is missing after "greeting:" (line 1)'],
  ['greeting: "Hello\ntools: [a]\n', "a quote that begins here is not closed (line 1)"],
  ["greeting: a\ngreeting: b\n", "greeting is there twice (line 2)"],
  ["greeting: | hello\n", "text after | begins on the next line, indented (line 1)"],
  [
    "greeting: 'I'm here'\n",
    "the text goes on after its closing quote: put all of it in quotes, and write a ' within '…' twice (line 1)",
  ],
  [
    "tools: [a, b\ngreeting: hi\n",
    "a bracket that was opened here or before is not closed: [ needs ], and { needs } (line 2)",
  ],
])("[MAKER-2] says what is wrong in words that are not the parser's: %j", (text, problem) => {
  expect(problemsOf(text)).toEqual([`agent.yaml: ${problem}`]);
});
