/** The keys that a schema has at a place, for those who misspelt one. */
import { z } from "zod";

const node = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
  oneOf: z.array(z.unknown()).default([]),
  allOf: z.array(z.unknown()).default([]),
});

/** Created once, and only if something is rejected, because it takes milliseconds. */
const described = new WeakMap<z.ZodType, unknown>();

function describedOnce(schema: z.ZodType): unknown {
  const json = described.get(schema) ?? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  described.set(schema, json);
  return json;
}

export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: readonly Node[] = withAlternatives(describedOnce(schema));
  for (const step of path)
    here = here.flatMap(({ properties, additionalProperties, items }) =>
      withAlternatives(typeof step === "number" ? items : (properties[String(step)] ?? additionalProperties)),
    );
  return [...new Set(here.flatMap(({ properties }) => Object.keys(properties)))];
}

type Node = z.infer<typeof node>;

function withAlternatives(json: unknown): readonly Node[] {
  const read = node.safeParse(json);
  if (!read.success) return [];
  const { anyOf, oneOf, allOf } = read.data;
  return [read.data, ...[...anyOf, ...oneOf, ...allOf].flatMap(withAlternatives)];
}
