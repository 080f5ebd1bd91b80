/** Servers that do not keep to the protocol, or fail in ways that the library does not tell apart. */
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, it } from "vitest";
import { z } from "zod";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { runTools } from "@voice/shared/tools/run-tools";
import { McpConnection } from "./mcp-connection.ts";

const lookUp = { name: "look_up", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };

it("[MCP-6a] keeps its tools when the server answers a call with the code that the library has for a closed connection", async () => {
  const { connection, call } = await connected({ answer: { error: { code: -32_000, message: "hunter2 is wrong" } } });

  const result = await call();

  expect(result).toMatchObject({ success: false, error: "upstream_unavailable" });
  expect(JSON.stringify(result)).not.toContain("hunter2");
  expect(connection.status).toMatchObject({ state: "connected", toolsCount: 1 });
});

it.each([
  ["fails at a call over HTTP", new StreamableHTTPError(503, "Error POSTing to endpoint: hunter2")],
  ["finds a call too long", new StreamableHTTPError(413, "Error POSTing to endpoint: too long")],
  ["answers a call with more than may be read", new VoiceError("upstream_unavailable", "the answer is too long")],
])("[MCP-6a] [MCP-6b] keeps its tools for everybody else when the server %s", async (_, failure) => {
  const { connection, call } = await connected({ failure });

  expect(await call()).toMatchObject({ success: false, error: "upstream_unavailable" });
  expect(connection.status).toMatchObject({ state: "connected", toolsCount: 1 });
});

it.each([
  ["knows the session no longer", new StreamableHTTPError(404, "Error POSTing to endpoint: no such session")],
  ["lets it in no longer", new StreamableHTTPError(401, "Error POSTing to endpoint: unauthorised")],
  ["cannot be reached", new TypeError("fetch failed")],
])("[MCP-2c] connects again when the server %s", async (_, failure) => {
  const { connection, call } = await connected({ failure });

  expect(await call()).toMatchObject({ success: false, error: "upstream_unavailable" });
  expect(connection.status).toMatchObject({ state: "failed", toolsCount: 0 });
});

it("[MCP-6a] keeps its tools when a result is not of the protocol's form", async () => {
  const { connection, call } = await connected({ answer: { result: { content: "One soup." } } });

  expect(await call()).toMatchObject({ success: false, error: "upstream_unavailable" });
  expect(connection.status).toMatchObject({ state: "connected", toolsCount: 1 });
});

it("[MCP-6a] keeps its tools when a result is nested too deep to be written down", async () => {
  let nested: unknown = "soup";
  for (let level = 0; level < 100_000; level++) nested = [nested];
  const result = { content: [{ type: "text", text: "One soup." }], structuredContent: { nested } };
  const { connection, call } = await connected({ answer: { result } });

  expect(await call()).toMatchObject({ success: false, error: "upstream_unavailable" });
  expect(connection.status).toMatchObject({ state: "connected", toolsCount: 1 });
});

it("[MCP-6c] tells the model what is wrong with its arguments where the server says it as an error, without the secrets that it was given", async () => {
  const error = { code: -32_602, message: "order: expected four digits, for s3cret-key" };
  const { call } = await connected({ answer: { error } });

  expect(await call()).toEqual({
    success: false,
    error: "tool_failed",
    message: "order: expected four digits, for ***",
  });
});

it("[MCP-6d] leaves out the tools whose description is not of the protocol's form, names them, and has the others", async () => {
  const broken = { name: "broken", inputSchema: { type: "string" } };
  const { connection, warnings } = await connected({ tools: [broken, {}, lookUp] });

  expect([...connection.tools.keys()]).toEqual(["shop_look_up"]);
  expect(warnings).toEqual([
    { server: "shop", tool: "broken" },
    { server: "shop", tool: undefined },
  ]);
});

it("[MCP-6a] takes a result that is not of the form that the tool has promised, because the model can read it all the same", async () => {
  const outputSchema = { type: "object", properties: { state: { $ref: "#/nowhere" } }, required: ["state"] };
  const { call } = await connected({
    tools: [{ ...lookUp, outputSchema }],
    answer: { result: { content: [{ type: "text", text: "In the oven." }] } },
  });

  expect(await call()).toEqual({ success: true, message: "In the oven." });
});

it("[MCP-2c] takes a server for away that says who it is and takes nothing more", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = near.send.bind(near);
  near.send = async (message, options) => {
    if ("method" in message && message.method === "notifications/initialized")
      await new Promise<never>(() => undefined);
    await send(message, options);
  };
  const asked = z.object({ id: z.number(), params: z.object({ protocolVersion: z.string() }) });
  const onmessage = (message: unknown): void => {
    const { id, params } = asked.parse(message);
    void far.send({
      jsonrpc: "2.0",
      id,
      result: { ...params, capabilities: {}, serverInfo: { name: "odd", version: "1" } },
    });
  };
  Object.assign(far, { onmessage });
  const clock = new VirtualClock();
  const connection = new McpConnection({
    name: "shop",
    createTransport: () => ({ transport: near, lastWords: () => undefined }),
    version: "1",
    clock,
    logger: silentLogger,
  });

  const connecting = connection.connect();
  await clock.advanceAsync(5000, 100);
  await connecting;

  expect(connection.status).toMatchObject({ state: "failed", error: "no answer in time" });
  await connection.close();
});

it("logs no error of a server that closes its connection", async () => {
  const { close, warnings } = await connected({});
  await close();
  expect(warnings).toEqual([{ server: "shop", reason: "the connection was closed", said: undefined, attempt: 0 }]);
});

it.each([
  ["an error of its own", { answer: { error: { code: -32_603, message: "boom" } } }, "outcome_unknown"],
  ["a method that it does not know", { answer: { error: { code: -32_601, message: "no" } } }, "upstream_unavailable"],
  ["a refusal over HTTP", { failure: new StreamableHTTPError(401, "no") }, "upstream_unavailable"],
  ["a failure over HTTP", { failure: new StreamableHTTPError(502, "no") }, "outcome_unknown"],
  [
    "no connection",
    { failure: new TypeError("fetch failed", { cause: { syscall: "connect" } }) },
    "upstream_unavailable",
  ],
])("[TOOL-4a] a tool that may change something meets %s", async (_what, odd, error) => {
  const { call } = await connected({ tools: [{ name: "look_up", inputSchema: { type: "object" } }], ...odd });
  expect(await call()).toMatchObject({ success: false, error });
});

interface OddServer {
  /** What sending a call of a tool fails with. */
  readonly failure?: Error;
  readonly tools?: readonly object[];
  /** What every call of a tool is answered with: a result, or an error. */
  readonly answer?:
    | { readonly result: object }
    | { readonly error: { readonly code: number; readonly message: string } };
}

const request = z.object({ id: z.number(), method: z.string(), params: z.looseObject({}).optional() });

async function connected({ tools = [lookUp], answer = { result: { content: [] } }, failure }: OddServer) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = near.send.bind(near);
  near.send = async (message, options) => {
    if (failure !== undefined && request.safeParse(message).data?.method === "tools/call") throw failure;
    await send(message, options);
  };
  const onmessage = (message: unknown): void => {
    const asked = request.safeParse(message).data;
    if (asked === undefined) return;
    const reply = (told: object) => void far.send({ jsonrpc: "2.0", id: asked.id, result: {}, ...told });
    if (asked.method === "tools/list") reply({ result: { tools } });
    else if (asked.method === "tools/call") {
      if ("error" in answer) void far.send({ jsonrpc: "2.0", id: asked.id, error: answer.error });
      else reply(answer);
    } else {
      const { protocolVersion } = z.looseObject({ protocolVersion: z.string() }).parse(asked.params);
      reply({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } } });
    }
  };
  Object.assign(far, { onmessage });
  const warnings: object[] = [];
  const clock = new VirtualClock();
  const connection = new McpConnection({
    name: "shop",
    createTransport: () => ({ transport: near, lastWords: () => undefined }),
    given: () => ["s3cret-key"],
    version: "1",
    clock,
    logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) },
  });
  await connection.connect();
  const { counters } = createMemoryState({ clock });
  const checks = createIdentityChecks(counters, () => "somebody", false);
  const call = async () => {
    const [called] = await runTools([{ id: "1", name: "shop_look_up", argumentsJson: "{}" }], {
      tools: connection.tools,
      context: { sessionId: "s", turnId: "t", agent: "a", memory: {}, clock, checks },
      interrupted: new AbortController().signal,
    });
    return called?.result;
  };
  return { connection, call, warnings, close: () => far.close() };
}
