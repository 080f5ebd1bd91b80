import { expect, it } from "vitest";
import { placeProblems } from "./place-problems.ts";
import { problemLine } from "./problems.ts";

const text = `description: A desk.
intents:
  # what callers say
  account:
    examples:
      - i want my balance
      - how much is it
    call: { tool: look_up, args: { "a.b": x } }
    after: { errors: { "404": Nobody. } }
`;

function lineOf(key: string, content = text, path?: string): number | undefined {
  const problem = { file: "agents/desk/rules.yaml", key, message: "is wrong", ...(path !== undefined && { path }) };
  return placeProblems([problem], () => content)[0]?.line;
}

it("names the line of a key, of an entry of a list, and of a key with a dot in it", () => {
  expect(lineOf("intents.account")).toBe(4);
  expect(lineOf("intents.account.examples.1")).toBe(7);
  expect(lineOf("intents.account.call.args.a.b")).toBe(8);
  expect(lineOf("intents.account.after.errors.404")).toBe(9);
});

it("names the line of the object in which a key is missing", () => {
  expect(lineOf("intents.account.confirm")).toBe(4);
});

it("names no line if the mistake is in another file, which this one is merged over", () => {
  expect(lineOf("voice.name")).toBeUndefined();
  expect(lineOf("intents.goodbye")).toBeUndefined();
  expect(lineOf("intents.goodbye.say.text")).toBeUndefined();
});

it("names the line of a key whose message names its entry by other words", () => {
  expect(
    lineOf(
      "a call back: steps.0.tool",
      "dialogues:\n  - name: a call back\n    steps:\n      - tool: x",
      "dialogues.0.steps.0.tool",
    ),
  ).toBe(4);
});

it("keeps a line that is known already, and names no line of a missing file", () => {
  const known = { file: "agents/desk/rules.yaml", key: "intents", line: 7, message: "is wrong" };
  const unknown = { file: "agents/desk/agent.yaml", key: "intents", message: "is wrong" };
  expect(placeProblems([known], () => text)).toEqual([known]);
  expect(placeProblems([unknown], () => undefined)).toEqual([unknown]);
});

it("is printed as one line: file, key, message and line number", () => {
  const problem = { file: "agents/desk/agent.yaml", key: "greting", line: 2, message: "unknown key" };
  expect(problemLine(problem)).toBe("agents/desk/agent.yaml: greting: unknown key (line 2)");
  expect(problemLine({ ...problem, key: "" })).toBe("agents/desk/agent.yaml: unknown key (line 2)");
});
