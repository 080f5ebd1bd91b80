/**
 * `TOOL_SECRETS`: the secrets that the headers of HTTP tools may use. They can read nothing else from the environment.
 */
import { z } from "zod";
import type { Kind } from "./kinds.ts";

const says = "NAME=value pairs separated by commas, or a JSON object; names are of capital letters, digits and _";
const secrets = z.record(
  z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
  z
    .string()
    .min(1)
    .regex(/^[^\r\n]*$/),
);

export const toolSecrets: Kind<ReadonlyMap<string, string>> = {
  says,
  schema: z.string().transform((value, context) => {
    const parsed = secrets.safeParse(value.startsWith("{") ? jsonOrNothing(value) : pairs(value));
    if (parsed.success) return new Map(Object.entries(parsed.data));
    context.addIssue({ code: "custom", message: `must be ${says}` });
    return z.NEVER;
  }),
};

function jsonOrNothing(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    // The schema rejects it with a message that does not repeat the secret.
    return undefined;
  }
}

function pairs(value: string): Readonly<Record<string, string>> {
  const parts = value.split(",").map((part) => part.trim());
  return Object.fromEntries(
    parts
      .filter((part) => part !== "")
      .map((part): [string, string] => {
        const at = part.indexOf("=");
        return [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()];
      }),
  );
}
