/** Tells models which departments exist: those that `COMM_DESTINATIONS` names. */
import { personDestination } from "../../config/destinations.ts";
import { toolSchema } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { transferCall } from "./call-control.ts";
import { isPlainObject } from "../../platform/plain-object.ts";

/**
 * Returns the tools unchanged if no department is configured; a transfer is then refused when attempted, and the caller
 * is told.
 */
export function offerDestinations(
  tools: ReadonlyMap<string, Tool>,
  destinations: ReadonlyMap<string, string>,
): ReadonlyMap<string, Tool> {
  const departments = [...destinations.keys()].filter((name) => name !== personDestination);
  const transfer = tools.get(transferCall.name);
  if (transfer === undefined || departments.length === 0) return tools;
  return new Map([...tools, [transfer.name, { ...transfer, jsonSchema: withDepartments(transfer, departments) }]]);
}

function withDepartments(tool: Tool, departments: readonly string[]): Readonly<Record<string, unknown>> {
  const schema = toolSchema(tool);
  const properties = isPlainObject(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, properties: { ...properties, department: { type: "string", enum: departments } } };
}
