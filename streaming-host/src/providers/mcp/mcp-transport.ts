/** The transport to one MCP server: HTTP with the configured headers, or a child process with its own environment. */
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { fillInSecrets, secretsGivenTo } from "@voice/shared/config/mcp-servers";
import type { McpOAuth, McpServer } from "@voice/shared/config/mcp-servers";
import { hideSecrets } from "@voice/shared/tools/hide-secrets";
import { boundedFetch } from "./bounded-fetch.ts";
import { VoiceError } from "@voice/shared/platform/errors";

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

/**
 * Limits which origins a tool server with OAuth can make us contact: itself and the issuer in the settings. It names the addresses of its
 * metadata and of its token issuer, and could name any that only this machine and its network can reach. Addresses that the issuer itself
 * names, such as its token endpoint, are trusted like the settings.
 */
function askKnownOrigins(fetch: FetchLike, url: string, { issuer, token_url: tokenUrl }: McpOAuth): FetchLike {
  const known = new Set([url, issuer, tokenUrl].flatMap((address) => URL.parse(address ?? "")?.origin ?? []));
  return async (address, init) => {
    // Metadata is read by GET. A token is requested by POST, from the address in the issuer's metadata.
    const isReading = (init?.method ?? "GET") === "GET";
    if (isReading && !known.has(new URL(address).origin))
      throw new VoiceError("forbidden", "a tool server named an address of somebody else");
    return fetch(address, init);
  };
}
