/** A small MCP server, for trying out MCP_SERVERS and for the tests. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

/** Made up, and the same every day. */
const dollarsPer = { USD: 1, EUR: 1.1, GBP: 1.25, JPY: 0.007 } as const;
const currency = z.enum(["USD", "EUR", "GBP", "JPY"]);

export function createExampleServer(): McpServer {
  const server = new McpServer({ name: "exchange-example", version: "1.0.0" });
  server.registerTool(
    "convert",
    {
      description: "Converts an amount of money from one currency to another.",
      inputSchema: { amount: z.number().positive(), from: currency, to: currency },
      outputSchema: { amount: z.number(), currency },
      annotations: { readOnlyHint: true },
    },
    ({ amount, from, to }) => {
      const converted = Math.round(((amount * dollarsPer[from]) / dollarsPer[to]) * 100) / 100;
      const structuredContent = { amount: converted, currency: to };
      return { content: [{ type: "text", text: `${converted} ${to}` }], structuredContent };
    },
  );
  server.registerTool(
    "reserve",
    { description: "Reserves foreign cash at the branch.", inputSchema: { amount: z.number().positive(), currency } },
    ({ amount, currency: wanted }) => {
      if (amount > 1000) return { content: [{ type: "text", text: "At most 1000 can be reserved." }], isError: true };
      return { content: [{ type: "text", text: `${amount} ${wanted} are reserved until tomorrow.` }] };
    },
  );
  return server;
}

/** Streamable HTTP without sessions: every request stands alone. */
export async function serveExampleOverHttp(port = 0): Promise<{ url: string; close: () => Promise<void> }> {
  const http: Server = createServer((request, response) => {
    void (async () => {
      const transport = new StreamableHTTPServerTransport();
      response.on("close", () => void transport.close());
      await createExampleServer().connect(transport);
      await transport.handleRequest(request, response);
    })();
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, "127.0.0.1", resolve);
  });
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
