/** zod schemas as the JSON Schemas of one document: those with an id become components, the rest stays in place. */
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

export type SchemaCollector = ReturnType<typeof createSchemaCollector>;

const parsedSchema = z.looseObject({
  $schema: z.unknown().optional(),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

export function createSchemaCollector() {
  const components: Record<string, JsonSchema> = {};
  const convert = (schema: z.ZodType, io: "input" | "output"): JsonSchema => {
    const generated = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline", override: loosen });
    const { $schema: _dialect, $defs: definitions = {}, ...own } = parsedSchema.parse(pointToComponents(generated));
    for (const [name, definition] of Object.entries(definitions)) {
      const known = components[name];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`the schema "${name}" differs between requests and answers; give one of them another id`);
      }
      components[name] = definition;
    }
    return own;
  };
  const remembered = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };
  // Every endpoint answers with the same problems.
  const convertOnce = (schema: z.ZodType, io: "input" | "output"): JsonSchema => {
    const converted = remembered[io].get(schema) ?? convert(schema, io);
    remembered[io].set(schema, converted);
    return converted;
  };
  return {
    /** For what callers may send. */
    input: (schema: z.ZodType) => convertOnce(schema, "input"),
    /** What the service sends, or what a parameter holds once read. */
    output: (schema: z.ZodType) => convertOnce(schema, "output"),
    components,
  };
}

/** zod forbids additional properties in what it generates, but answers may gain fields without breaking clients. */
function loosen({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const definition = zodSchema._zod.def;
  if (definition.type === "object" && definition.catchall === undefined) delete jsonSchema.additionalProperties;
  // The format is enough; the generated pattern is half a page long.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
}

function pointToComponents(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", "#/components/schemas/") : value,
  );
}
