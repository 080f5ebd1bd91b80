/**
 * Creates a tool from its typed definition: the type of the arguments and the model's JSON Schema follow from the
 * schema.
 */
import { z } from "zod";
import type { SlowNotice, Tool, ToolContext, ToolOutcome } from "./tool.ts";

/** Long enough for a slow back end, and short enough that a caller is still on the line. */
export const defaultTimeoutMs = 8000;

export interface ToolDefinition<Parameters extends z.ZodObject> {
  readonly name: string;
  /** Written for the model: what it does and when to use it. */
  readonly description: string;
  readonly parameters: Parameters;
  readonly timeoutMs?: number | undefined;
  readonly onInterruption?: Tool["onInterruption"] | undefined;
  readonly isRepeatable?: boolean | undefined;
  readonly slowNotice?: SlowNotice | undefined;
  readonly run: (args: z.infer<Parameters>, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome;
}

export function defineTool<Parameters extends z.ZodObject>(definition: ToolDefinition<Parameters>): Tool {
  return {
    name: definition.name,
    description: definition.description,
    parameters: definition.parameters,
    timeoutMs: definition.timeoutMs ?? defaultTimeoutMs,
    onInterruption: definition.onInterruption ?? "cancel",
    takesTurns: definition.onInterruption === "finish", // tools that must finish are those with side effects
    isRepeatable: definition.isRepeatable,
    slowNotice: definition.slowNotice,
    run: async (args, context) => await definition.run(definition.parameters.parse(args), context),
  };
}

type ToolSchema = Readonly<Record<string, unknown>>;

/** Cached: generating a schema takes up to a millisecond, and every request to a model has a dozen. */
const schemas = new WeakMap<Tool["parameters"], ToolSchema>();

/** The description of a tool that a language model receives. */
export function toolSchema(tool: Pick<Tool, "parameters" | "jsonSchema">): ToolSchema {
  if (tool.jsonSchema !== undefined) return tool.jsonSchema;
  const known = schemas.get(tool.parameters);
  if (known !== undefined) return known;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.parameters, { io: "input" });
  schemas.set(tool.parameters, schema);
  return schema;
}
