/**
 * Describes a tool to a model in a form that every service accepts. OpenAI rejects the whole request, and with it every turn of the agent,
 * if a single tool has a longer description, an object without `properties` or an array without `items`. Tool servers send all of these,
 * because JSON Schema allows them. Pure.
 */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import { toolSchema } from "@voice/shared/tools/define-tool";
import type { Tool } from "@voice/shared/tools/tool";

type Schema = Readonly<Record<string, unknown>>;

/** OpenAI's limit for the description of a function. Descriptions inside its schema may be longer. */
const longestDescription = 1024;
/**
 * OpenAI rejects these beside `type: object` at the top level. Leaving them out is safe, because tools check their arguments themselves.
 */
const alternatives = ["anyOf", "oneOf", "allOf"] as const;

export function toolDefinition(tool: Pick<Tool, "name" | "description" | "parameters" | "jsonSchema">): ModelTool {
  const { name, description } = tool;
  const parameters = acceptedSchema(toolSchema(tool));
  if (description.length <= longestDescription) return { name, description, parameters };
  const { description: ofArguments } = parameters;
  const whole = typeof ofArguments === "string" ? `${description}\n\n${ofArguments}` : description;
  return { name, description: beginningOf(description), parameters: { ...parameters, description: whole } };
}

function acceptedSchema(schema: Schema): Schema {
  const { $schema: _dialect, ...plain } = withItems(schema);
  const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = plain;
  const ofAlternatives = alternatives.flatMap((key) => listIn(plain, key).map(propertiesOf));
  return { ...rest, type: "object", properties: Object.assign({}, ...ofAlternatives, propertiesOf(plain)) };
}

function propertiesOf(schema: unknown): Schema {
  return isPlainObject(schema) && isPlainObject(schema["properties"]) ? schema["properties"] : {};
}

function listIn(schema: Schema, key: string): readonly unknown[] {
  const list = schema[key];
  return Array.isArray(list) ? list : [];
}

/** The same schema with `items` in every array. */
function withItems(schema: Schema): Schema {
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, partWithItems(value)]));
  return schema["type"] === "array" && !("items" in schema) ? { ...inside, items: {} } : inside;
}

function partWithItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(partWithItems);
  return isPlainObject(value) ? withItems(value) : value;
}

/** Cut between words or, in text without spaces, between characters. */
function beginningOf(description: string): string {
  const cut = description.slice(0, longestDescription - 1);
  const lastSpace = cut.lastIndexOf(" ");
  return `${lastSpace > longestDescription / 2 ? cut.slice(0, lastSpace) : cut.replace(/[\uD800-\uDBFF]$/, "")}…`;
}
