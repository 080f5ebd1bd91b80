/** The way to one MCP server: HTTP with the headers that it asks for, or a child process with an environment of its own. */
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { StdioClientTransport, getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { fillInSecrets, type McpServer } from "@voice/shared/config/mcp-servers";

export interface McpTransport {
  readonly transport: Transport;
  /** The last line that a child process has written to its standard error: why it ended, in its own words. */
  lastWords(): string | undefined;
}

const longestWords = 200;

/** `access`: kept over the connections of one server, and its token with it. */
export function createMcpTransport(
  server: McpServer,
  secrets: ReadonlyMap<string, string>,
  access?: OAuthClientProvider,
): McpTransport {
  if (!("command" in server)) {
    const headers = fillInSecrets(server.headers ?? {}, secrets);
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers },
      ...(access !== undefined && { authProvider: access }),
    });
    return { transport, lastWords: () => undefined };
  }
  const env = { ...getDefaultEnvironment(), ...fillInSecrets(server.env ?? {}, secrets) };
  const transport = new StdioClientTransport({ command: server.command, args: server.args, env, stderr: "pipe" });
  let words = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString("utf8")).slice(-longestWords * 2);
  });
  const hidden = Object.values(env).filter((value) => [...secrets.values()].some((secret) => value.includes(secret)));
  return {
    transport,
    lastWords() {
      const last = words.trimEnd().split("\n").at(-1)?.trim() ?? "";
      // What it was given in secret it may have repeated.
      const said = [...hidden, ...secrets.values()].reduce((text, secret) => text.replaceAll(secret, "***"), last);
      return said === "" ? undefined : said.slice(0, longestWords);
    },
  };
}
