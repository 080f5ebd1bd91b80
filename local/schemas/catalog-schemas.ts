/** JSON Schemas of a catalog's files, by which editors complete keys and mark mistakes while somebody types. */
import { rulesSchema } from "@voice/local-voice/rules/rules-file";
import { agentFile } from "@voice/shared/catalog/agent-file";
import { routesFile } from "@voice/shared/catalog/conversation-routes";
import { isPlainObject, type PlainObject } from "@voice/shared/platform/plain-object";
import { httpToolFile } from "@voice/shared/catalog/http-tool-file";
import { scenarioFile } from "@voice/shared/catalog/scenario-file";
import { z } from "zod";
import { dialogueFile } from "../dialogues/dialogue-file.ts";

export const schemaNames = ["agent", "rules", "scenario", "routes", "tool", "dialogue"] as const;
export type SchemaName = (typeof schemaNames)[number];

/** `tools`: names to offer. Others are right as well, because a tool server's are known only while it answers. */
export function catalogSchemas(tools: Iterable<string>): Readonly<Record<SchemaName, PlainObject>> {
  const agent = mergedOver(schemaOf(agentFile));
  const listed = { type: "array", items: { anyOf: [{ enum: [...tools].toSorted() }, { type: "string" }] } };
  return {
    agent: { ...agent, properties: { ...propertiesOf(agent), tools: listed } },
    rules: mergedOver(schemaOf(rulesSchema)),
    scenario: schemaOf(scenarioFile),
    routes: schemaOf(routesFile),
    tool: schemaOf(httpToolFile),
    dialogue: schemaOf(dialogueFile),
  };
}

/** Draft 7 is what editors know best. */
function schemaOf(schema: z.ZodType): PlainObject {
  return z.toJSONSchema(schema, { io: "input", target: "draft-7", unrepresentable: "any" });
}

/** The schema of a file that is merged over another one: no field is required, and null removes a field of the other file. */
function mergedOver(schema: PlainObject): PlainObject {
  const { required: _required, ...relaxed } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, isPlainObject(value) ? mergedOver(value) : value]),
  );
  const { properties, additionalProperties } = relaxed;
  return {
    ...relaxed,
    ...(isPlainObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, orNull(value)])),
    }),
    ...(isPlainObject(additionalProperties) && { additionalProperties: orNull(additionalProperties) }),
  };
}

function orNull(schema: unknown): PlainObject {
  return { anyOf: [schema, { type: "null" }] };
}

function propertiesOf({ properties }: PlainObject): PlainObject {
  return isPlainObject(properties) ? properties : {};
}
