/** The fields of a tool's arguments, made from its JSON Schema, and the arguments made from what is written in them. Pure. */
import { z } from "zod";

export interface ArgumentField {
  readonly name: string;
  /** `json`: what has parts of its own is written as JSON. */
  readonly kind: "text" | "number" | "boolean" | "choice" | "json";
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly hint: string | undefined;
}

const property = z.looseObject({
  type: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
});
const objectSchema = z.looseObject({
  properties: z.record(z.string(), property.catch({})).catch({}),
  required: z.array(z.string()).catch([]),
});

export function argumentFields(schema: Readonly<Record<string, unknown>>): readonly ArgumentField[] {
  const { properties, required } = objectSchema.parse(schema);
  return Object.entries(properties).map(([name, of]) => ({
    name,
    ...kindOf(of),
    isRequired: required.includes(name) && of.default === undefined,
    hint: hintOf(of),
  }));
}

function kindOf({
  type,
  enum: values,
  const: only,
}: z.output<typeof property>): Pick<ArgumentField, "kind" | "choices"> {
  const choices = values ?? (only === undefined ? [] : [only]);
  if (choices.length > 0 && choices.every((value) => typeof value === "string")) return { kind: "choice", choices };
  if (type === "boolean") return { kind: "boolean", choices: ["true", "false"] };
  if (type === "number" || type === "integer") return { kind: "number", choices: [] };
  return { kind: type === "string" ? "text" : "json", choices: [] };
}

function hintOf({ description, default: usual }: z.output<typeof property>): string | undefined {
  const without = usual === undefined ? undefined : `Without it: ${JSON.stringify(usual)}.`;
  return [description, without].filter((text) => text !== undefined).join(" ") || undefined;
}

/** Empty fields are left out. What is no number or no JSON goes as it is, because the tool says best what is wrong with it. */
export function argumentsFrom(
  fields: readonly ArgumentField[],
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const written = fields.flatMap(({ name, kind }) => {
    const text = texts[name] ?? "";
    if (text.trim() === "") return [];
    return [[name, kind === "text" || kind === "choice" ? text : asJson(text)] as const];
  });
  return Object.fromEntries(written);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
