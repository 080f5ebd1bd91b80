/** What a module of TOOLS_DIR may export, checked once when it is loaded. */
import { z } from "zod";
import type { DefinedCustomers, DefinedTool } from "@voice/tool-kit";
import { toolSchema } from "../define-tool.ts";

const anyFunction = z.custom<(...args: never) => unknown>(
  (value) => typeof value === "function",
  "expected a function",
);

const zodObject = z
  .custom<z.ZodObject>(
    (value) => value instanceof z.ZodObject,
    "expected z.object({ … }) of zod 4; the arguments of a tool have names",
  )
  .superRefine((schema, context) => {
    const message = problemAsJsonSchema(schema);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

const definedTool = z.strictObject({
  kind: z.literal("tool"),
  name: z
    .string()
    .regex(/^(?!handoff_)[a-z][a-z0-9_]{0,63}$/, "expected small letters, digits and _, beginning with a letter"),
  description: z.string().min(1).max(1024),
  parameters: zodObject,
  result: z
    .custom<z.ZodObject>((value) => value instanceof z.ZodObject, "expected z.object({ … }) of zod 4")
    .optional(),
  sideEffects: z.boolean().optional(),
  verifiedCaller: z.boolean().optional(),
  timeoutMs: z.int().min(100).max(30_000).optional(),
  slowNotice: z.string().min(1).max(256).optional(),
  run: anyFunction,
});

const definedCustomers = z.strictObject({
  kind: z.literal("customers"),
  find: anyFunction,
  update: anyFunction.optional(),
});

export type CodeDefinition = DefinedTool | DefinedCustomers;

export type ReadDefinition =
  | { readonly definition: CodeDefinition }
  /** Each problem names the key and what is expected of it. */
  | { readonly problems: readonly string[] };

const marked = z.looseObject({ kind: z.enum(["tool", "customers"]) });

/** Whether an exported value is meant for the service; modules may export helpers as well. */
export function isMarked(value: unknown): boolean {
  return marked.safeParse(value).success;
}

export function readDefinition(value: unknown): ReadDefinition {
  const { kind } = marked.parse(value);
  const parsed = (kind === "tool" ? definedTool : definedCustomers).safeParse(value);
  if (parsed.success) return { definition: value as CodeDefinition };
  return {
    problems: parsed.error.issues.map((issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown key ${issue.keys.join(", ")}`
        : `${issue.path.join(".")}: ${issue.message.replace(/^Invalid input: expected \w+, received undefined$/, "is missing")}`,
    ),
  };
}

function problemAsJsonSchema(schema: unknown): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined; // said already
  try {
    toolSchema({ parameters: schema });
    return undefined;
  } catch (error) {
    return `cannot be told to a model as JSON Schema (${error instanceof Error ? error.message : "unknown reason"})`;
  }
}
