/** The tools of all MCP servers in the settings, and how the servers are. */
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpServer } from "@voice/shared/config/mcp-servers";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import type { Tool } from "@voice/shared/tools/tool";
import { McpConnection } from "./mcp-connection.ts";

export interface McpTools {
  /** A tool of any server that is connected right now. */
  get(name: string): Tool | undefined;
  /** The servers' states, for the host's heartbeat. */
  statuses(): readonly McpServerStatus[];
  /** Resolves once every server was tried; those that failed are tried again in the background. */
  start(): Promise<void>;
  /** Idempotent; ends child processes. */
  close(): Promise<void>;
}

export interface McpToolsOptions {
  readonly servers: readonly McpServer[];
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent: what suits a conversation. */
  readonly connectTimeoutMs?: number;
}

export function createMcpTools({ servers, ...common }: McpToolsOptions): McpTools {
  const connections = servers.map(
    (server) => new McpConnection({ ...common, name: server.name, createTransport: () => createTransport(server) }),
  );
  return {
    get: (name) => connections.map((connection) => connection.tools.get(name)).find((tool) => tool !== undefined),
    statuses: () => connections.map((connection) => connection.status),
    async start() {
      await Promise.all(connections.map((connection) => connection.connect()));
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

function createTransport(server: McpServer): Transport {
  // What a server writes to stderr may hold anything, so it is not ours to print.
  if ("command" in server)
    return new StdioClientTransport({ command: server.command, args: server.args, stderr: "ignore" });
  return new StreamableHTTPClientTransport(new URL(server.url));
}
