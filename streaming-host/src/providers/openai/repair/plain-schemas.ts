/**
 * Tools in the subset of JSON Schema that every server supports: Gemini rejects a whole request for `additionalProperties`, `$schema`,
 * `const` or a list of types, others for `format`, `pattern` or `$ref`. Tools check their arguments themselves. Pure.
 */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { WireRequest, WireTool } from "./wire-request.ts";

type Schema = Readonly<Record<string, unknown>>;

export function withPlainSchemas(request: WireRequest): WireRequest {
  return onParameters(request, (parameters) => plainSchema(parameters));
}

/** Gemini rejects an object without properties; a function without parameters serves the same purpose. */
export function withoutEmptyParameters(request: WireRequest): WireRequest {
  return onParameters(request, (parameters) => {
    const { properties } = parameters;
    return isPlainObject(properties) && Object.keys(properties).length > 0 ? parameters : undefined;
  });
}

function onParameters(request: WireRequest, change: (parameters: Schema) => Schema | undefined): WireRequest {
  const { tools } = request;
  if (tools === undefined) return request;
  return {
    ...request,
    tools: tools.map((tool): WireTool => {
      const { parameters, name, description } = tool.function;
      if (parameters === undefined) return tool;
      const changed = change(parameters);
      return { ...tool, function: { name, description, ...(changed !== undefined && { parameters: changed }) } };
    }),
  };
}

function plainSchema(schema: Schema): Schema {
  const { description, enum: values, const: only } = schema;
  const alternative = [schema["anyOf"], schema["oneOf"], schema["allOf"]]
    .flat()
    .find((one) => isPlainObject(one) && one["type"] !== "null");
  const known = isPlainObject(alternative) ? { ...alternative, ...schema } : schema;
  const type = typeOf(known);
  const allowed = Array.isArray(values) ? values : only === undefined ? undefined : [only];
  return {
    type,
    ...(typeof description === "string" && { description }),
    ...(type === "string" && allowed !== undefined && { enum: allowed.filter((value) => typeof value === "string") }),
    ...(type === "array" && {
      items: isPlainObject(known["items"]) ? plainSchema(known["items"]) : { type: "string" },
    }),
    ...(type === "object" && objectParts(known)),
  };
}

function objectParts(schema: Schema): Schema {
  const properties = isPlainObject(schema["properties"]) ? schema["properties"] : {};
  const plain = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      isPlainObject(property) ? plainSchema(property) : { type: "string" },
    ]),
  );
  const required = Array.isArray(schema["required"]) ? schema["required"].filter((name) => name in plain) : [];
  return { properties: plain, ...(required.length > 0 && { required }) };
}

/** The first of several that is not null. */
function typeOf({ type, properties, items }: Schema): string {
  const named = [type].flat().find((one): one is string => typeof one === "string" && one !== "null");
  if (named !== undefined) return named;
  if (properties !== undefined) return "object";
  return items === undefined ? "string" : "array";
}
