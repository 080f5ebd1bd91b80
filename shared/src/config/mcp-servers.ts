/** `MCP_SERVERS`: tool servers over streamable HTTP, or started as child processes that speak over stdio. */
import { z } from "zod";
import { httpUrl, type Kind } from "./kinds.ts";

const serverName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, "has a server name that is not lower-case letters, digits, - and _");

const mcpServer = z.union(
  [
    z.strictObject({ name: serverName, url: httpUrl.schema }),
    z.strictObject({ name: serverName, command: z.string().min(1), args: z.array(z.string()).default([]) }),
  ],
  "must hold {name, url} or {name, command, args} objects with https URLs",
);

export type McpServer = z.infer<typeof mcpServer>;

export const mcpServerList: Kind<readonly McpServer[]> = {
  says: "`name=url` pairs separated by commas, or a JSON array",
  schema: z
    .string()
    .transform((value, context) => {
      const trimmed = value.trim();
      if (!trimmed.startsWith("[")) return pairs(trimmed);
      const parsed = jsonText.safeParse(trimmed);
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message: "must be valid JSON when it starts with [" });
      return z.NEVER;
    })
    .pipe(z.array(mcpServer))
    .refine(
      (servers) => new Set(servers.map((server) => server.name)).size === servers.length,
      "must not name a server twice",
    ),
};

// --- module internal ---

const jsonText = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
});

function pairs(value: string): unknown[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return { name: part.slice(0, Math.max(0, at)), url: part.slice(at + 1) };
    });
}
