import { expect, it } from "vitest";
import { z } from "zod";
import { keysAt } from "./keys-of-schema.ts";

const schema = z.strictObject({
  name: z.string().default("x"),
  intents: z.record(
    z.string(),
    z.strictObject({ say: z.string().optional(), slots: z.array(z.strictObject({ ask: z.string() })) }),
  ),
  after: z
    .union([z.string(), z.strictObject({ next: z.string() }).refine(() => true), z.strictObject({ offer: z.string() })])
    .transform(String)
    .optional(),
});

it("knows the keys of an object, of a record's values, of a list's entries, and of every alternative", () => {
  expect(keysAt(schema, [])).toEqual(["name", "intents", "after"]);
  expect(keysAt(schema, ["intents", "bye"])).toEqual(["say", "slots"]);
  expect(keysAt(schema, ["intents", "bye", "slots", 3])).toEqual(["ask"]);
  expect(keysAt(schema, ["after"])).toEqual(["next", "offer"]);
});

it("knows none where there are none", () => {
  expect(keysAt(schema, ["name"])).toEqual([]);
  expect(keysAt(schema, ["nowhere", 0])).toEqual([]);
});
