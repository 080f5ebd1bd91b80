import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ListToolsRequestSchema, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { toolSchema } from "@voice/shared/tools/define-tool";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { runTools, type ToolCallResult } from "@voice/shared/tools/run-tools";
import { McpConnection } from "./mcp-connection.ts";
import { mcpToolName, toMcpTool } from "./mcp-tool.ts";

function harness(options: { readonly refuse?: number; readonly needsVerifiedCaller?: boolean } = {}) {
  const clock = new VirtualClock();
  const servers: McpServer[] = [];
  let refusals = options.refuse ?? 0;
  const createTransport = (): Transport => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    if (refusals > 0) {
      refusals -= 1;
      near.start = () => Promise.reject(new Error("connection refused at https://secret@host"));
      return near;
    }
    const server = new McpServer({ name: "test", version: "1" });
    server.registerTool(
      "look.up",
      { description: "Looks up.", inputSchema: { word: z.string() }, annotations: { readOnlyHint: true } },
      ({ word }) => ({ content: [{ type: "text", text: `${word}!` }] }),
    );
    server.registerTool("book", { inputSchema: {} }, () => ({
      content: [{ type: "text", text: "Fully booked." }],
      isError: true,
    }));
    void server.connect(far);
    servers.push(server);
    return near;
  };
  const warnings: object[] = [];
  /** The names of the tools at each notification. */
  const lists: string[][] = [];
  const connection: McpConnection = new McpConnection({
    name: "shop",
    needsVerifiedCaller: options.needsVerifiedCaller === true,
    createTransport: () => ({ transport: createTransport(), lastWords: () => "KeyError: hi" }),
    given: () => ["s3cret-key"],
    version: "1",
    clock,
    logger: {
      ...silentLogger,
      warn: (fields: object, message: string) => void (message.startsWith("two tools") && warnings.push(fields)),
    },
    random: () => 1,
    onTools: () => void lists.push([...connection.tools.keys()]),
  });
  const { counters } = createMemoryState({ clock });
  const checks = createIdentityChecks(counters, () => "somebody", false);
  const call = async (name: string, args: object): Promise<ToolCallResult | undefined> => {
    const [result] = await runTools([{ id: "1", name, argumentsJson: JSON.stringify(args) }], {
      tools: connection.tools,
      context: { sessionId: "s", turnId: "t", agent: "a", memory: {}, clock, checks },
      interrupted: new AbortController().signal,
    });
    return result;
  };
  return { clock, servers, connection, call, warnings, lists };
}

describe("a connection to an MCP server", () => {
  it("offers the server's tools under its name, with its schema and its hints", async () => {
    const { connection, call } = harness();
    await connection.connect();
    expect([...connection.tools.keys()]).toEqual(["shop_look_up", "shop_book"]);
    const lookUp = connection.tools.get("shop_look_up");
    expect(lookUp).toMatchObject({ description: "Looks up.", onInterruption: "cancel" });
    expect(connection.tools.get("shop_book")).toMatchObject({ description: "book", onInterruption: "finish" });
    expect(lookUp === undefined ? {} : toolSchema(lookUp)).toMatchObject({ required: ["word"] });
    expect((await call("shop_look_up", { word: "hi" }))?.result).toEqual({ success: true, message: "hi!" });
    expect((await call("shop_book", {}))?.result).toEqual({
      success: false,
      error: "tool_failed",
      message: "Fully booked.",
    });
    expect(connection.status).toEqual({ name: "shop", state: "connected", toolsCount: 2, error: undefined });
  });

  it("[TOOL-20] runs no tool of a server that is marked for verified callers before the caller is verified", async () => {
    const { connection, call } = harness({ needsVerifiedCaller: true });
    await connection.connect();
    expect((await call("shop_look_up", { word: "hi" }))?.result).toMatchObject({
      success: false,
      error: "not_verified",
    });
  });

  it("is asked for its tools once, not for each of the changes that it announces meanwhile", async () => {
    const { connection, servers } = harness();
    await connection.connect();
    const [server] = servers;
    let lists = 0;
    server?.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: `version_${++lists}`, inputSchema: { type: "object" } }],
    }));
    for (let change = 0; change < 50; change += 1) server?.sendToolListChanged();
    await expect.poll(() => [...connection.tools.keys()]).toEqual(["shop_version_2"]);
    expect(lists).toBe(2);
  });

  it("tells the model what is wrong with its arguments, in the server's words", async () => {
    const { connection, call } = harness();
    await connection.connect();
    const result = await call("shop_look_up", { word: 7 });
    expect(result).toMatchObject({ status: "error", result: { success: false } });
    expect(JSON.stringify(result?.result)).toContain("word");
  });

  it("tries again with growing pauses, without telling what might be secret", async () => {
    const { connection, clock } = harness({ refuse: 3 });
    await connection.connect();
    expect(connection.status).toEqual({
      name: "shop",
      state: "failed",
      toolsCount: 0,
      error: "could not connect: KeyError: hi",
    });
    await clock.advanceAsync(100 + 200, 10);
    expect(connection.status.state).toBe("failed");
    await clock.advanceAsync(400 + 20, 10);
    expect(connection.status).toMatchObject({ state: "connected", toolsCount: 2 });
    expect(clock.pendingTimers).toBe(0);
  });

  it("takes its tools away while the server is gone, and brings them back", async () => {
    const { connection, clock, servers, call } = harness();
    await connection.connect();
    await servers[0]?.close();
    expect(connection.status).toMatchObject({
      state: "failed",
      toolsCount: 0,
      error: "the connection was closed: KeyError: hi",
    });
    expect((await call("shop_look_up", { word: "hi" }))?.result["error"]).toBe("unknown_tool");
    await clock.advanceAsync(120, 10);
    expect((await call("shop_look_up", { word: "hi" }))?.status).toBe("success");
  });

  it("[MCP-2a] quotes nothing of a process that has been told what a caller said", async () => {
    const { connection, servers, call } = harness();
    await connection.connect();
    await call("shop_look_up", { word: "hi" });
    await servers[0]?.close();
    expect(connection.status).toMatchObject({ state: "failed", error: "the connection was closed" });
  });

  it("[MCP-2b] has no secret in a result that the server was given and sends back", async () => {
    const { connection, call } = harness();
    await connection.connect();
    expect((await call("shop_look_up", { word: "Bearer s3cret-key" }))?.result).toEqual({
      success: true,
      message: "Bearer ***!",
    });
  });

  it("[MCP-4b] follows the server when its tools change, and tells of it", async () => {
    const { connection, servers, clock, lists } = harness();
    await connection.connect();
    servers[0]?.registerTool("new", { inputSchema: {} }, () => ({ content: [] }));
    await clock.advanceAsync(5);
    expect(lists).toEqual([
      ["shop_look_up", "shop_book"],
      ["shop_look_up", "shop_book", "shop_new"],
    ]);
  });

  it("warns of two tools that models could not tell apart", async () => {
    const { connection, servers, clock, warnings } = harness();
    await connection.connect();
    servers[0]?.registerTool("look_up", { inputSchema: {} }, () => ({ content: [] }));
    await clock.advanceAsync(5);
    expect([...connection.tools.keys()]).toEqual(["shop_look_up", "shop_book"]);
    expect(warnings).toEqual([{ server: "shop", tool: "shop_look_up" }]);
  });

  it("stays closed", async () => {
    const { connection, servers, clock } = harness();
    await connection.connect();
    await connection.close();
    await connection.close();
    await clock.advanceAsync(1000, 100);
    expect(servers).toHaveLength(1);
    expect(connection.tools.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("the result of an MCP tool", () => {
  const resultOf = async (answer: CallToolResult) => {
    const tool = toMcpTool("shop", { name: "look", inputSchema: { type: "object" } }, 1000, () =>
      Promise.resolve(answer),
    );
    const { signal } = new AbortController();
    const { counters } = createMemoryState({ clock: new VirtualClock() });
    const checks = createIdentityChecks(counters, () => "somebody", false);
    const context = { sessionId: "s", turnId: "t", agent: "a", memory: {}, clock: new VirtualClock(), checks, signal };
    return (await tool.run({}, context)).result;
  };
  const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };

  it("has the words of a document that the answer contains, and of one that it points to", async () => {
    const resource = { uri: "shop://orders/1", text: "One soup." };
    const link = { type: "resource_link" as const, uri: "shop://menu", name: "menu", description: "Today's dishes." };
    expect(await resultOf({ content: [{ type: "resource", resource }, image, link] })).toEqual({
      success: true,
      message: "One soup.\nmenu: Today's dishes.",
    });
  });

  it("[MCP-8] is not encoded a second time where the server has written JSON into a text", async () => {
    const text = (value: unknown) => ({ type: "text" as const, text: JSON.stringify(value) });
    expect(await resultOf({ content: [text({ state: "baking" })] })).toEqual({ success: true, state: "baking" });
    expect(await resultOf({ content: [text([1, 2])] })).toEqual({ success: true, answer: [1, 2] });
    expect(await resultOf({ content: [text({ id: 1 }), text({ id: 2 })] })).toEqual({
      success: true,
      answer: [{ id: 1 }, { id: 2 }],
    });
    expect(await resultOf({ content: [text("4412")] })).toEqual({ success: true, message: '"4412"' });
    expect(await resultOf({ content: [text({ reason: "full" })], isError: true })).toMatchObject({
      success: false,
      answer: { reason: "full" },
    });
  });

  it("says what it is where it has no words", async () => {
    expect(await resultOf({ content: [image] })).toEqual({
      success: true,
      message: "The answer has no words, only this: image.",
    });
    expect(await resultOf({ content: [], isError: true })).toMatchObject({ message: "It gave no reason." });
    expect(await resultOf({ content: [] })).toEqual({ success: true, message: "" });
  });
});

describe("the name of an MCP tool", () => {
  it("is one that every model accepts", () => {
    expect(mcpToolName("shop", "look.up/änd go")).toBe("shop_look_up__nd_go");
    expect(mcpToolName("shop", "x".repeat(100))).toHaveLength(64);
  });
});
