/** The bundled example server over both real transports: a child process, and HTTP. */
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { serveExampleOverHttp } from "@voice/local/mcp-example";
import { listen, portOf } from "@voice/local/service";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { runTools } from "@voice/shared/tools/run-tools";
import type { Tool } from "@voice/shared/tools/tool";
import { createMcpTools, type McpTools } from "@voice/streaming-host/providers/mcp/mcp-tools";
import { startGuardedMcpServer, type SaidByGuardedServer } from "../support/guarded-mcp-server.ts";
import { startTestHost } from "../support/test-host.ts";

const script = fileURLToPath(new URL("../../local/mcp-example-server.ts", import.meta.url));
/** A busy machine takes its time to start a process. */
const common = { version: "1.0.0", clock: systemClock, logger: silentLogger, connectTimeoutMs: 60_000 };
const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const { close } of open.splice(0).toReversed()) await close();
});

const { counters } = createMemoryState({ clock: systemClock });
const checks = createIdentityChecks(counters, () => "somebody", false);

const customer = { id: "c-17", document: {}, update: () => Promise.reject(new Error("nothing changes")) };

async function convert(tools: McpTools): Promise<Readonly<Record<string, unknown>> | undefined> {
  const known = new Map<string, Tool>();
  const tool = tools.get("exchange_convert");
  if (tool !== undefined) known.set(tool.name, tool);
  const call = { id: "1", name: "exchange_convert", argumentsJson: '{"amount":20,"from":"EUR","to":"USD"}' };
  const [result] = await runTools([call], {
    tools: known,
    context: { sessionId: "s", turnId: "t", agent: "a", memory: {}, clock: systemClock, checks, customer },
    interrupted: new AbortController().signal,
  });
  return result?.result;
}

it("makes a host that is ready once every server was tried", async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  open.push({
    close: async () => {
      silent.closeAllConnections();
      silent.close();
    },
  });
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await using host = await startTestHost({ settings: { MCP_SERVERS: `slow=http://127.0.0.1:${port}/mcp` } });
  await asked.promise;
  const isReady = async () => (await host.state.hosts.list()).map(({ ready, mcp }) => [ready, mcp.state]);
  await expect.poll(isReady).toEqual([[false, "connecting"]]);
  silent.closeAllConnections();
  await expect.poll(isReady).toEqual([[true, "failed"]]);
});

describe("tools of MCP servers", () => {
  it("work over stdio", async () => {
    const tools = createMcpTools({
      ...common,
      servers: [{ name: "exchange", command: process.execPath, args: [script] }],
    });
    open.push(tools);
    await tools.start();
    expect(tools.statuses()).toEqual([{ name: "exchange", state: "connected", toolsCount: 2, error: undefined }]);
    expect(await convert(tools)).toEqual({ success: true, amount: 22, currency: "USD" });
  });

  it("work over streamable HTTP, and again after the server was away", async () => {
    const server = await serveExampleOverHttp();
    const tools = createMcpTools({ ...common, servers: [{ name: "exchange", url: server.url }] });
    open.push(tools);
    await tools.start();
    expect(await convert(tools)).toEqual({ success: true, amount: 22, currency: "USD" });

    await server.close();
    expect(await convert(tools)).toMatchObject({ success: false, error: "upstream_unavailable" });
    expect(tools.statuses()).toMatchObject([{ state: "failed", toolsCount: 0 }]);

    open.push(await serveExampleOverHttp(Number(new URL(server.url).port)));
    await expect.poll(() => tools.statuses()[0]?.state).toBe("connected");
    expect(await convert(tools)).toEqual({ success: true, amount: 22, currency: "USD" });
  });

  it("[MCP-3] are asked for with the headers that the server wants, a secret among them, and in whose conversation", async () => {
    const server = await serveExampleOverHttp();
    open.push(server);
    const seen: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[] = [];
    const gate = createServer((request, response) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
        const body = Buffer.concat(parts).toString("utf8");
        seen.push({ headers: request.headers, body });
        const { "content-type": type = "", accept = "" } = request.headers;
        const answer = await fetch(server.url, { method: "POST", headers: { "content-type": type, accept }, body });
        response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
        response.end(await answer.text());
      })().catch(() => response.destroy());
    });
    gate.listen(0, "127.0.0.1");
    await once(gate, "listening");
    open.push({ close: async () => void gate.close() });
    const address = gate.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const headers = { authorization: "Bearer {{ secrets.EXCHANGE }}" };
    const tools = createMcpTools({
      ...common,
      secrets: new Map([["EXCHANGE", "the-secret"]]),
      servers: [{ name: "exchange", url: `http://127.0.0.1:${port}/mcp`, headers }],
    });
    open.push(tools);
    await tools.start();
    expect(await convert(tools)).toMatchObject({ success: true });
    expect(seen.every((request) => request.headers["authorization"] === "Bearer the-secret")).toBe(true);
    expect(seen.at(-1)?.body).toContain('"voice-agent-service/session_id":"s"');
    expect(seen.at(-1)?.body).toContain('"voice-agent-service/customer_id":"c-17"');
  });

  it("[MCP-7] fail when the server's answer does not end, before it fills the memory", async () => {
    const server = await serveExampleOverHttp();
    open.push(server);
    let sentBytes = 0;
    const ended = Promise.withResolvers<void>();
    const endless = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        const { "content-type": type = "", accept = "" } = request.headers;
        if (!body.includes("tools/call")) {
          const answer = await fetch(server.url, { method: "POST", headers: { "content-type": type, accept }, body });
          const headers = { "content-type": answer.headers.get("content-type") ?? "application/json" };
          response.writeHead(answer.status, headers).end(await answer.text());
          return;
        }
        response.once("close", ended.resolve).writeHead(200, { "content-type": "application/json" });
        for (const piece = Buffer.alloc(65_536, " "); !response.destroyed; sentBytes += piece.length)
          if (!response.write(piece)) await Promise.race([once(response, "drain"), ended.promise]);
      })().catch(() => response.destroy());
    });
    endless.listen(0, "127.0.0.1");
    await once(endless, "listening");
    open.push({ close: async () => void endless.close() });
    const address = endless.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const tools = createMcpTools({ ...common, servers: [{ name: "exchange", url: `http://127.0.0.1:${port}/mcp` }] });
    open.push(tools);
    await tools.start();
    expect(await convert(tools)).toMatchObject({ success: false });
    await ended.promise;
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
  });

  describe("of a server that wants a token", () => {
    const secrets = new Map([["SHOP", "the-secret"]]);
    const client = { client_id: "voice", client_secret: "{{ secrets.SHOP }}", scope: "tools" };

    async function guarded(secret = "the-secret", says: SaidByGuardedServer = {}) {
      const example = await serveExampleOverHttp();
      const server = await startGuardedMcpServer(example.url, secret, says);
      open.push(example, server);
      return server;
    }

    async function toolsOf({ url }: { readonly url: string }, oauth: object): Promise<McpTools> {
      const MCP_SERVERS = JSON.stringify([{ name: "exchange", url, oauth: { ...client, ...oauth } }]);
      const { mcpServers: servers } = loadSettings({ MCP_SERVERS, TOOL_SECRETS: "SHOP=the-secret" });
      const tools = createMcpTools({ ...common, secrets, servers });
      open.push(tools);
      await tools.start();
      return tools;
    }

    it("[MCP-1a] are asked for with one that the server's own authorization server gives, which is kept until it is refused", async () => {
      const server = await guarded();
      const tools = await toolsOf(server, { issuer: server.origin });
      expect(tools.statuses()).toMatchObject([{ state: "connected", toolsCount: 2 }]);
      expect(await convert(tools)).toMatchObject({ success: true });
      expect(server.tokenRequests.map(({ form }) => Object.fromEntries(form))).toEqual([
        { grant_type: "client_credentials", scope: "tools", resource: server.url },
      ]);
      await expect.poll(() => server.streams).toBe(1);
      server.revoke();
      expect(await convert(tools)).toMatchObject({ success: true });
      expect(await convert(tools)).toMatchObject({ success: true });
      expect(server.tokenRequests).toHaveLength(2);
      expect(server.bodies.filter((body) => body.includes("notifications/cancelled"))).toEqual([]);
    });

    it("[MCP-1b] are asked for with one from where the settings say", async () => {
      const server = await guarded();
      const tools = await toolsOf(server, { token_url: `${server.origin}/token` });
      expect(await convert(tools)).toMatchObject({ success: true });
      expect(server.tokenRequests).toHaveLength(1);
    });

    it("[MCP-1b] send the secret to nobody else, whatever the tool server says", async () => {
      const server = await guarded();
      const tools = await toolsOf(server, { issuer: "https://identity.example" });
      expect(tools.statuses()).toMatchObject([{ state: "failed", error: "could not connect" }]);
      expect(server.tokenRequests).toEqual([]);
    });

    it("[MCP-1c] ask nobody else where tokens come from, because a tool server could have anything inside our network asked", async () => {
      const asked: string[] = [];
      const inside = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.writeHead(404).end();
      });
      await listen(inside, { port: 0, host: "127.0.0.1" });
      open.push({ close: async () => void inside.close() });
      const elsewhere = `http://127.0.0.1:${portOf(inside)}`;
      const server = await guarded("the-secret", { metadataAt: `${elsewhere}/metadata`, issuer: elsewhere });
      await toolsOf(server, { issuer: server.origin });
      const tools = await toolsOf(server, { token_url: `${server.origin}/token` });
      expect(tools.statuses()).toMatchObject([{ state: "connected" }]);
      const other = await guarded("the-secret", { issuer: elsewhere });
      await toolsOf(other, { issuer: other.origin });
      expect(asked).toEqual([]);
    });

    it("[MCP-2b] have no token in a result, even if the server sends it back", async () => {
      const server = await guarded("the-secret", { echoesTokens: true });
      const tools = await toolsOf(server, { issuer: server.origin });
      const result = JSON.stringify(await convert(tools));
      expect(result).toContain("***");
      expect(result).not.toContain("token-1");
    });

    it("[MCP-2d] are missing in words that say so when the credentials are wrong", async () => {
      const server = await guarded("another-secret");
      const tools = await toolsOf(server, { issuer: server.origin });
      expect(tools.statuses()).toMatchObject([{ state: "failed", error: "it was given no token that it accepts" }]);
    });
  });

  it("[MCP-2a] [MCP-2b] [MCP-2d] of a child process that ends at once are missed in its own words, without the secrets that it was given", async () => {
    const program =
      "console.error(`no database for ${process.env.SHOP_KEY} at ${process.env.SHOP_URL}`); process.exit(1)";
    const env = { SHOP_KEY: "{{ secrets.SHOP }}", SHOP_URL: "db.example" };
    const tools = createMcpTools({
      ...common,
      secrets: new Map([["SHOP", "the-secret"]]),
      servers: [{ name: "shop", command: process.execPath, args: ["-e", program], env }],
    });
    open.push(tools);
    await tools.start();
    await expect.poll(() => tools.statuses()[0]?.error).toMatch(/: no database for \*\*\* at db\.example$/);
  });

  it("are simply absent where a server cannot be had, and the others go on", async () => {
    const server = await serveExampleOverHttp();
    open.push(server);
    const tools = createMcpTools({
      ...common,
      servers: [
        { name: "missing", command: "/nonexistent/program", args: [] },
        { name: "exchange", url: server.url },
      ],
    });
    open.push(tools);
    await tools.start();
    expect(tools.statuses()).toMatchObject([
      { name: "missing", state: "failed", toolsCount: 0, error: "command not found: /nonexistent/program" },
      { name: "exchange", state: "connected" },
    ]);
    expect(await convert(tools)).toMatchObject({ success: true });
  });
});
