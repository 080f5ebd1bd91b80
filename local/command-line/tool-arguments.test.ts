import { expect, it } from "vitest";
import { parseToolArguments } from "./tool-arguments.ts";

const tool = {
  config: { options: { port: { type: "string", default: "7071" } }, allowPositionals: false },
} as const;

it("reads what is given, and what is not by itself", () => {
  const parsed = parseToolArguments(["--port", "80"], tool);
  expect(parsed).toMatchObject({ kind: "run", given: { values: { port: "80" } } });
  expect(parseToolArguments([], tool)).toMatchObject({ given: { values: { port: "7071" } } });
});

it("says no more than what is wrong", () => {
  const takesNames = { config: { options: {}, allowPositionals: true } } as const;
  expect(parseToolArguments(["--sing"], takesNames)).toEqual({ kind: "invalid", message: "Unknown option '--sing'" });
});

it.each([["--help"], ["-h"], ["--port"]])("offers help for %s with --help", (...argv) => {
  expect(parseToolArguments([...argv, "--help"], tool)).toEqual({ kind: "help" });
});

it.each([
  [["--sing"], /sing/],
  [["folder"], /folder/],
  [["--port"], /port/],
])("names the mistake in %j", (argv, message) => {
  expect(parseToolArguments(argv, tool)).toMatchObject({ kind: "invalid", message: expect.stringMatching(message) });
});
