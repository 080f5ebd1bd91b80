import { expect, it } from "vitest";
import { z } from "zod";
import { namesOf, wholeNumber } from "./option-kinds.ts";
import { parseToolArguments } from "./tool-arguments.ts";

const tool = { options: { port: z.string().default("7071") } };

it("reads what is given, and what is not by itself", () => {
  const parsed = parseToolArguments(["--port", "80"], tool);
  expect(parsed).toMatchObject({ kind: "run", values: { port: "80" } });
  expect(parseToolArguments([], tool)).toMatchObject({ values: { port: "7071" } });
});

it("says no more than what is wrong", () => {
  const takesNames = { allowPositionals: true };
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

it("reads numbers, lists, flags and what is given several times, in its order", () => {
  const options = {
    count: wholeNumber(1, 9).default(4),
    only: namesOf(["one", "two", "three"]).optional(),
    speech: z.boolean().default(true),
    say: z.array(z.string()).optional(),
  };
  const argv = ["--say", "a", "--count", "7", "--only", "three, one", "--no-speech", "--say", "b"];
  expect(parseToolArguments(argv, { options })).toMatchObject({
    values: { count: 7, only: ["three", "one"], speech: false, say: ["a", "b"] },
    order: [{ name: "say", value: "a" }, { name: "count" }, { name: "only" }, { name: "speech" }, { value: "b" }],
  });
  for (const [wrong, message] of [
    [["--count", "ten"], "--count expects a whole number from 1 to 9"],
    [["--count", "10"], "--count expects a whole number from 1 to 9"],
    [["--only", "one,four"], "--only knows no four, but one, two, three"],
  ] as const)
    expect(parseToolArguments(wrong, { options })).toEqual({ kind: "invalid", message });
});
