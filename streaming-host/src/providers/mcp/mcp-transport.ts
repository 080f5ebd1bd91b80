/** The transport to one MCP server: HTTP with the configured headers, or a child process with its own environment. */
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { StdioClientTransport, getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { fillInSecrets, secretsGivenTo, type McpServer } from "@voice/shared/config/mcp-servers";
import { hideSecrets } from "@voice/shared/tools/hide-secrets";
import { boundedFetch } from "./bounded-fetch.ts";
import { askKnownOrigins } from "./known-origins.ts";

export interface McpTransport {
  readonly transport: Transport;
  /** The last line that a child process wrote to its standard error: usually its reason for ending. */
  lastWords(): string | undefined;
}

const longestWords = 200;

/** `access` is shared by all connections to one server, including its token. */
export function createMcpTransport(
  server: McpServer,
  secrets: ReadonlyMap<string, string>,
  access?: OAuthClientProvider,
): McpTransport {
  if (!("command" in server)) {
    const headers = fillInSecrets(server.headers ?? {}, secrets);
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers },
      fetch: boundedFetch(server.oauth === undefined ? fetch : askKnownOrigins(fetch, server.url, server.oauth)),
      ...(access !== undefined && { authProvider: access }),
    });
    return { transport, lastWords: () => undefined };
  }
  const env = { ...getDefaultEnvironment(), ...fillInSecrets(server.env ?? {}, secrets) };
  const transport = new StdioClientTransport({ command: server.command, args: server.args, env, stderr: "pipe" });
  const given = secretsGivenTo(server, secrets);
  const mostKept = longestWords * 2 + Math.max(0, ...given.map((value) => value.length));
  let words = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString("utf8")).slice(-mostKept);
  });
  return {
    transport,
    lastWords() {
      // The process may have repeated what it was sent. A value whose beginning is cut off would not be recognised, so the cut is made
      // outside the last characters.
      const said =
        hideSecrets(words, given)
          .slice(-longestWords * 2)
          .trimEnd()
          .split("\n")
          .at(-1)
          ?.trim() ?? "";
      return said === "" ? undefined : said.slice(0, longestWords);
    },
  };
}
