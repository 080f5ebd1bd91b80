/** The tools of all MCP servers in the settings, and the servers' states. */
import { secretsGivenTo, type McpServer } from "@voice/shared/config/mcp-servers";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import type { Tool } from "@voice/shared/tools/tool";
import { createMcpAccess } from "./mcp-access.ts";
import { McpConnection } from "./mcp-connection.ts";
import type { McpConnectionOptions } from "./mcp-connection.ts";
import { createMcpTransport } from "./mcp-transport.ts";

export interface McpTools {
  /** Finds a tool of any server that is connected now. */
  get(name: string): Tool | undefined;
  /** The tools of all servers that are connected right now. */
  list(): readonly Tool[];
  /** The servers' states, for the host's heartbeat. */
  statuses(): readonly McpServerStatus[];
  /** Resolves once every server was tried; failed ones are tried again in the background. */
  start(): Promise<void>;
  /** Idempotent; ends child processes. */
  close(): Promise<void>;
}

export interface McpToolsOptions extends Pick<
  McpConnectionOptions,
  "version" | "clock" | "logger" | "onTools" | "connectTimeoutMs"
> {
  readonly servers: readonly McpServer[];
  /** The values that servers' headers and environments may refer to. */
  readonly secrets?: ReadonlyMap<string, string>;
}

export function createMcpTools({ servers, secrets = new Map(), ...common }: McpToolsOptions): McpTools {
  const connections = servers.map((server) => {
    const oauth = "command" in server ? undefined : server.oauth;
    const access = oauth && createMcpAccess(oauth, secrets, common.clock);
    const given = secretsGivenTo(server, secrets);
    return new McpConnection({
      ...common,
      name: server.name,
      needsVerifiedCaller: server.verified_caller === true,
      given: () => [...given, ...(access?.lastToken === undefined ? [] : [access.lastToken])],
      createTransport: () => createMcpTransport(server, secrets, access),
    });
  });
  return {
    get: (name) => connections.map((connection) => connection.tools.get(name)).find((tool) => tool !== undefined),
    list: () => connections.flatMap(({ tools }) => [...tools.values()]),
    statuses: () => connections.map((connection) => connection.status),
    async start() {
      await Promise.all(connections.map((connection) => connection.connect()));
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
