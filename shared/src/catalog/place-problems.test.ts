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

it("names the line of what a key is missing in", () => {
  expect(lineOf("intents.account.confirm")).toBe(4);
});

it("names no line where the mistake stands in another file that is merged under this one", () => {
  expect(lineOf("voice.name")).toBeUndefined();
  expect(lineOf("intents.goodbye")).toBeUndefined();
  expect(lineOf("intents.goodbye.say.text")).toBeUndefined();
});

it("names the line of a key that is told in other words", () => {
  expect(
    lineOf(
      "a call back: steps.0.tool",
      "dialogues:\n  - name: a call back\n    steps:\n      - tool: x",
      "dialogues.0.steps.0.tool",
    ),
  ).toBe(4);
});

it("keeps a line that is known, and names none of a file that is not there", () => {
  const known = { file: "agents/desk/rules.yaml", key: "intents", line: 7, message: "is wrong" };
  const unknown = { file: "agents/desk/agent.yaml", key: "intents", message: "is wrong" };
  expect(placeProblems([known], () => text)).toEqual([known]);
  expect(placeProblems([unknown], () => undefined)).toEqual([unknown]);
});

it("is a line for a person: file, key, message and the number of the line", () => {
  const problem = { file: "agents/desk/agent.yaml", key: "greting", line: 2, message: "unknown key" };
  expect(problemLine(problem)).toBe("agents/desk/agent.yaml: greting: unknown key (line 2)");
  expect(problemLine({ ...problem, key: "" })).toBe("agents/desk/agent.yaml: unknown key (line 2)");
});
