/** `MCP_SERVERS`: tool servers over streamable HTTP, or started as child processes that speak over stdio. */
import { z } from "zod";
import { httpUrl, type Kind } from "./kinds.ts";

const serverName = z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/);

const mcpServer = z.union([
  z.strictObject({ name: serverName, url: httpUrl.schema }),
  z.strictObject({ name: serverName, command: z.string().min(1), args: z.array(z.string()).default([]) }),
]);

export type McpServer = z.infer<typeof mcpServer>;

const says = "name=url pairs separated by commas, or a JSON array of {name, url} and {name, command, args}";

const servers = z
  .array(mcpServer)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, "a server is named twice");

export const mcpServerList: Kind<readonly McpServer[]> = {
  says,
  schema: z.string().transform((value, context) => {
    const parsed = servers.safeParse(value.startsWith("[") ? jsonOrNothing(value) : pairs(value));
    if (parsed.success) return parsed.data;
    const message = `must be ${says}; names are unique, of lower-case letters, digits, - and _; URLs are https`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }),
};

// --- module internal ---

function jsonOrNothing(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    // Not JSON is not a list of servers either; the schema says so.
    return undefined;
  }
}

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
