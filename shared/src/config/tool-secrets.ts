/**
 * `TOOL_SECRETS`: the secrets that the headers of HTTP tools may use. They can read nothing else from the environment.
 */
import { z } from "zod";
import { parseJson } from "../platform/parse-json.ts";
import type { Kind } from "./kinds.ts";
import { pairsIn } from "./pairs.ts";

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
    const parsed = secrets.safeParse(value.startsWith("{") ? parseJson(value) : secretsIn(value));
    if (parsed.success) return new Map(Object.entries(parsed.data));
    // The message does not quote the value, which is secret.
    context.addIssue({ code: "custom", message: `must be ${says}` });
    return z.NEVER;
  }),
};

function secretsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(pairsIn(text).map(({ name, value }) => [name.trim(), value.trim()]));
}
