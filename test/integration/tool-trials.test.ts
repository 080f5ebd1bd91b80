/** Tools tried by themselves on a real host, over a real socket: the demonstration's, one that is an HTTP request, and an MCP server's. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { serveExampleOverHttp } from "@voice/local/mcp-example";
import { listen, portOf } from "@voice/local/service";
import { loadSettings } from "@voice/shared/config/load";
import { createLogger } from "@voice/shared/platform/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogOf } from "../support/built-in-catalog.ts";
import { dial } from "../support/socket-client.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

const secret = "Qx7markerSecretQx7";
const orders: { readonly authorization: string | undefined; readonly body: string }[] = [];
const lines: string[] = [];
let folder: string;
let service: Server;
let exchange: Awaited<ReturnType<typeof serveExampleOverHttp>>;
let host: TestHost;

async function takeOrder(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization } = request.headers;
  orders.push({ authorization, body: await text(request) });
  response.setHeader("content-type", "application/json").end(JSON.stringify({ state: "ordered", authorization }));
}

beforeAll(async () => {
  service = createServer((request, response) => void takeOrder(request, response));
  await listen(service, { port: 0, host: "127.0.0.1" });
  exchange = await serveExampleOverHttp();
  folder = mkdtempSync(path.join(tmpdir(), "tried-tools-"));
  mkdirSync(path.join(folder, "tools"));
  const address = `localhost:${portOf(service)}`;
  writeFileSync(
    path.join(folder, "tools/order_pizza.yaml"),
    `description: Orders a pizza.
parameters: { type: object, properties: { topping: { type: string } }, required: [topping] }
request:
  method: POST
  url: http://${address}/orders
  headers: { Authorization: "Bearer {{ secrets.TOKEN }}" }
  body: { topping: "{{ args.topping }}" }
`,
  );
  const settings = {
    CATALOG_DIR: folder,
    DEMO_ENABLED: "true",
    TOOL_HOSTS: address,
    TOOL_PRIVATE_HOSTS: address,
    TOOL_SECRETS: `TOKEN=${secret}`,
    MCP_SERVERS: `exchange=${exchange.url}`,
  };
  host = await startTestHost({
    settings,
    catalog: await catalogOf(loadSettings(settings)),
    logger: createLogger({ level: "debug", name: "host", destination: { write: (line) => void lines.push(line) } }),
  });
  await eventually(async () => (await host.state.hosts.list())[0]?.ready === true, "the tool server was tried");
});

afterAll(async () => {
  await host.close();
  await exchange.close();
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});

async function openTrial() {
  const client = await dial(host.url("/api/v1/realtime/tools"));
  let count = 0;
  return {
    client,
    attempt: async (tool: string, given: object, more: object = {}) => {
      count += 1;
      const id = String(count);
      client.send({ type: "try_tool", id, tool, arguments: given, ...more });
      const { payload } = await client.next(`what ${tool} gave`, (one) => one.payload?.["id"] === id);
      return payload;
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

describe("a tool that is tried on a host", () => {
  it("[BUILD-8] is run as a conversation runs it, for its customer and with what was verified before, and no caller's conversation has any of it", async () => {
    using caller = await dial(host.url("/api/v1/browser/conversation?session_id=session-of-a-caller"));
    await caller.next("the conversation", ({ type }) => type === "session");
    using trial = await openTrial();
    const card = { card: "credit" };
    expect(await trial.attempt("get_card_details", card)).toMatchObject({ outcome: "not_done", changes: "nothing" });
    expect(await trial.attempt("verify_identity", { ssn_last4: "12" })).toMatchObject({
      outcome: "invalid_arguments",
      result: { message: expect.stringContaining("exactly four digits") },
    });
    const verified = await trial.attempt("verify_identity", { ssn_last4: "7296" }, { confirmed: true });
    expect(verified).toMatchObject({ outcome: "done", memory: { identity_verified: true } });
    expect(await trial.attempt("get_card_details", card)).toMatchObject({ outcome: "done", result: card });
    expect(await trial.attempt("block_card", card)).toMatchObject({ outcome: "needs_confirmation", result: null });
    expect(await trial.attempt("block_card", card, { confirmed: true })).toMatchObject({
      outcome: "done",
      result: { status: "blocked" },
    });
    using another = await openTrial();
    expect(await another.attempt("block_card", card, { confirmed: true })).toMatchObject({ outcome: "done" });
    expect(await host.state.sessions.get("session-of-a-caller")).toMatchObject({ memory: {} });
    expect((await host.state.sessions.list({ offset: 0, limit: 10 })).sessions).toHaveLength(1);
  });

  it("[BUILD-7] [BUILD-10] makes an HTTP request once it was confirmed, with the service's key, which is in no answer", async () => {
    using trial = await openTrial();
    const given = { topping: "artichokes" };
    expect(await trial.attempt("order_pizza", given)).toMatchObject({ outcome: "needs_confirmation" });
    expect(orders).toEqual([]);
    const outcome = await trial.attempt("order_pizza", given, { confirmed: true, agent: "front-desk" });
    expect(outcome).toMatchObject({ outcome: "done", result: { state: "ordered" } });
    expect(orders).toEqual([{ authorization: `Bearer ${secret}`, body: JSON.stringify(given) }]);
    const [record] = await host.state.audit.list({ about: "order_pizza", limit: 10 });
    expect(record).toMatchObject({ action: "tryTool", what: { tool: "order_pizza", agent: "front-desk" } });
    for (const output of [JSON.stringify(outcome), JSON.stringify(record), lines.join("")])
      expect(output).not.toContain(secret);
    for (const output of [JSON.stringify(record), lines.join("")]) expect(output).not.toContain("artichokes");
    expect(lines.join("")).toContain("an operator tried a tool");
  });

  it("[BUILD-7] is a tool server's, too, and one of which the server does not say what it changes is confirmed first", async () => {
    using trial = await openTrial();
    trial.client.send({ type: "describe_tool", tool: "exchange_convert" });
    const described = await trial.client.next("the description", ({ type }) => type === "tool_description");
    expect(described.payload).toMatchObject({ changes: "nothing", description: expect.stringContaining("Converts") });
    const converted = await trial.attempt("exchange_convert", { amount: 20, from: "EUR", to: "USD" });
    expect(converted).toMatchObject({ outcome: "done", result: { amount: 22 } });
    const reserved = { amount: 20, currency: "USD" };
    expect(await trial.attempt("exchange_reserve", reserved)).toMatchObject({
      outcome: "needs_confirmation",
      changes: "not_known",
    });
    expect(
      await trial.attempt("exchange_reserve", { amount: 2000, currency: "USD" }, { confirmed: true }),
    ).toMatchObject({ outcome: "failed", result: { message: "At most 1000 can be reserved." } });
  });
});
