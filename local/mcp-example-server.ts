/** `node local/mcp-example-server.ts` speaks MCP over stdio; with `--http [port]` over streamable HTTP. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createExampleServer, serveExampleOverHttp } from "./mcp-example.ts";

const usage = "node local/mcp-example-server.ts, or with --http [port]";
const [flag, port = "0", ...more] = process.argv.slice(2);
const isPort = /^\d{1,5}$/.test(port) && Number(port) < 65_536;
if ((flag !== undefined && flag !== "--http") || !isPort || more.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else if (flag === "--http") {
  try {
    const { url } = await serveExampleOverHttp(Number(port));
    console.log(url);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} else await createExampleServer().connect(new StdioServerTransport());
