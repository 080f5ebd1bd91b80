/** `node local/mcp-example-server.ts` speaks MCP over stdio; with `--http [port]` over streamable HTTP. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createExampleServer, serveExampleOverHttp } from "./mcp-example.ts";

const [flag, port] = process.argv.slice(2);
if (flag === "--http") {
  const { url } = await serveExampleOverHttp(Number(port ?? 0));
  console.log(url);
} else await createExampleServer().connect(new StdioServerTransport());
