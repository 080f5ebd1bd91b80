/**
 * The input schemas of tool servers' tools, for checking a catalog. They come from the servers themselves, or, while a server
 * does not answer, from a file that keeps its last answer.
 */
import { readFile, writeFile } from "node:fs/promises";
import type { KnownTool } from "@voice/shared/catalog/known-tools";
import { secretsNamedBy } from "@voice/shared/config/mcp-servers";
import type { McpServer } from "@voice/shared/config/mcp-servers";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMcpTools } from "@voice/streaming-host/providers/mcp/mcp-tools";
import { z } from "zod";

/** Keyed by server, then by the tool's name. */
const keptSchemas = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())));
type KeptSchemas = z.infer<typeof keptSchemas>;

export interface AskedToolServers {
  readonly tools: ReadonlyMap<string, KnownTool>;
  /** Servers whose tools are unknown. */
  readonly unknown: readonly string[];
  /** A line for each server that did not answer. */
  readonly notes: readonly string[];
}

/** `keptIn`: the file of their schemas; nothing is stored where absent. */
export async function askToolServers(
  servers: readonly McpServer[],
  secrets: ReadonlyMap<string, string>,
  keptIn: string | undefined,
): Promise<AskedToolServers> {
  const kept = keptIn === undefined ? {} : await readKept(keptIn);
  const asked = await Promise.all(
    servers.map(async (server) => ({ server, ...(await askToolServer(server, secrets)) })),
  );
  const schemas: KeptSchemas = { ...kept };
  const notes: string[] = [];
  for (const { server, offered, problem } of asked) {
    if (offered !== undefined) schemas[server.name] = offered;
    else {
      const instead = server.name in kept ? `taken from ${keptIn}` : "not checked";
      notes.push(`MCP_SERVERS: ${server.name}: ${problem}; what its tools take is ${instead}`);
    }
  }
  if (keptIn !== undefined) await writeFile(keptIn, `${JSON.stringify(schemas, undefined, 2)}\n`);
  const mine = servers.flatMap(({ name }) => Object.entries(schemas[name] ?? {}));
  return {
    tools: new Map(mine.map(([name, schema]) => [name, { parameters: parametersOf(schema) }])),
    unknown: servers.map(({ name }) => name).filter((name) => !(name in schemas)),
    notes,
  };
}

export type ToolServerAnswer =
  | { readonly offered: KeptSchemas[string]; readonly problem?: undefined }
  | { readonly offered?: undefined; readonly problem: string };

/** The schemas of its tools by name, or why there are none. */
export async function askToolServer(
  server: McpServer,
  secrets: ReadonlyMap<string, string>,
): Promise<ToolServerAnswer> {
  const lacking = secretsNamedBy(server).filter((name) => !secrets.has(name));
  if (lacking.length > 0) return { problem: `TOOL_SECRETS has no ${lacking.join(", ")}` };
  const mcp = createMcpTools({
    servers: [server],
    secrets,
    version: "1.0.0",
    clock: systemClock,
    logger: silentLogger,
  });
  try {
    await mcp.start();
    const problem = mcp.statuses()[0]?.error;
    if (problem !== undefined) return { problem };
    return { offered: Object.fromEntries(mcp.list().map(({ name, jsonSchema = {} }) => [name, { ...jsonSchema }])) };
  } finally {
    await mcp.close();
  }
}

/** A schema with keywords that cannot be checked here accepts anything. */
function parametersOf(schema: Readonly<Record<string, unknown>>): z.ZodObject {
  try {
    const checked = z.fromJSONSchema(schema);
    if (checked instanceof z.ZodObject) return checked;
  } catch {
    // The server checks its arguments itself, when it is called.
  }
  return z.looseObject({});
}

async function readKept(file: string): Promise<KeptSchemas> {
  try {
    return keptSchemas.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
