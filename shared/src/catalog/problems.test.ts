import { expect, it } from "vitest";
import { z } from "zod";
import { schemaProblems } from "./problems.ts";

const name = z.string();
const schema = z.strictObject({ to: z.union([name, z.array(name)]), reason: name });

function messagesOf(raw: unknown): readonly string[] {
  const { error } = schema.safeParse(raw);
  return error === undefined ? [] : schemaProblems("rules.yaml", error).map(({ key, message }) => `${key} ${message}`);
}

it("says that a key is missing, also where it may have several forms", () => {
  expect(messagesOf({})).toEqual(["to is missing", "reason is missing"]);
  expect(messagesOf({ to: 7, reason: "lost" })).toEqual(["to Invalid input"]);
  expect(messagesOf({ to: ["cards"], reason: "lost" })).toEqual([]);
});
