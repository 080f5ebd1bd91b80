/** HTTP tools against a service on a real socket: what arrives there, and what they make of its answers. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { httpToolFile, toHttpTool } from "@voice/shared/catalog/http-tool-file";
import { Templates } from "@voice/shared/catalog/template";
import { createHttpTools } from "@voice/streaming-host/providers/http-tools/http-tools";
import { createHttpSender, type HttpSender } from "@voice/streaming-host/providers/http-tools/send-request";
import { silentLogger } from "@voice/shared/platform/logger";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { NotDoneError } from "@voice/shared/tools/not-done-error";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let server: Server;
let host: string;
let sender: HttpSender;
const seen: Seen[] = [];
const { counters } = createMemoryState({ clock: systemClock });
const context = {
  sessionId: "s-1",
  turnId: "t-1",
  agent: "waiter",
  memory: {},
  clock: systemClock,
  checks: createIdentityChecks(counters, () => "ada", false),
};

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  host = typeof address === "object" && address !== null ? `localhost:${address.port}` : "";
  sender = createHttpSender([host]);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  seen.push({ method, url, headers, body: await text(request) });
  if (url === "/moved") response.writeHead(302, { location: "/orders/1" }).end();
  else if (url === "/endless") response.end("x".repeat(5000));
  else if (url === "/orders/9999") response.writeHead(404).end("no such row in table orders");
  else if (url === "/echo") response.end(JSON.stringify({ heard: headers.authorization }));
  else if (url === "/marked") response.end('\u{FEFF}{"order":{"state":"shipped"}}');
  else if (url === "/reset") request.socket.resetAndDestroy();
  else if (url === "/torn") response.writeHead(201, { "content-length": 100 }).write("{", () => response.destroy());
  else if (url === "/trickling") response.writeHead(200).write("{");
  else if (url === "/latin")
    response
      .setHeader("content-type", "application/json; charset=iso-8859-1")
      .end(Buffer.from('{"order":{"state":"München"}}', "latin1"));
  else if (url !== "/silent")
    response.setHeader("content-type", "application/json").end('{"order":{"state":"shipped"}}');
}

afterAll(async () => {
  await sender.close();
  server.closeAllConnections();
  server.close();
});

/** Resolves when the client has received the status and the headers, which undici announces on this channel. */
function headOfAnswerTo(path: string): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  const announcement = z.object({ request: z.object({ path: z.literal(path) }) });
  const listener = (message: unknown): void => {
    if (announcement.safeParse(message).success) arrived.resolve();
  };
  subscribe("undici:request:headers", listener);
  onTestFinished(() => void unsubscribe("undici:request:headers", listener));
  return arrived.promise;
}

function run(request: Readonly<Record<string, unknown>>, args: Readonly<Record<string, unknown>> = {}, by = sender) {
  const file = httpToolFile.parse({
    description: "Looks an order up.",
    request,
    response: { result: { state: "order.state" }, errors: { 404: "There is no such order." } },
    max_bytes: 1000,
  });
  const options = {
    templates: new Templates(),
    secrets: new Map([["TOKEN", "s3cret"]]),
    sender: by,
    logger: silentLogger,
  };
  const tool = createHttpTools(new Map([["order_status", toHttpTool("order_status", file)]]), options).get(
    "order_status",
  );
  if (tool === undefined) throw new Error("no tool");
  return (signal: AbortSignal) => tool.run(args, { ...context, signal });
}

const never = new AbortController().signal;

describe("an HTTP tool", () => {
  it("asks with its arguments and secrets, and picks from the answer what it is about", async () => {
    const ask = run(
      {
        method: "POST",
        url: `http://${host}/orders/{{ args.order }}`,
        headers: { Authorization: "Bearer {{ secrets.TOKEN }}" },
        body: { seats: "{{ args.seats }}" },
      },
      { order: "44 12", seats: 2 },
    );
    expect((await ask(never)).result).toEqual({ success: true, state: "shipped" });
    expect(seen.at(-1)).toMatchObject({
      method: "POST",
      url: "/orders/44%2012",
      headers: { authorization: "Bearer s3cret", "content-type": "application/json" },
      body: '{"seats":2}',
    });
  });

  it("reads JSON with a byte order mark, and sends names in every alphabet", async () => {
    const headers = { "X-Name": "{{ args.name }}" };
    const ask = run({ url: `http://${host}/marked`, headers }, { name: "Zoë 李" });
    expect((await ask(never)).result).toEqual({ success: true, state: "shipped" });
    expect(Buffer.from(String(seen.at(-1)?.headers["x-name"]), "latin1").toString("utf8")).toBe("Zoë 李");
  });

  it("tells an error in its own words", async () => {
    const ask = run({ url: `http://${host}/orders/{{ args.order }}` }, { order: 9999 });
    expect((await ask(never)).result).toEqual({
      success: false,
      error: "http_404",
      message: "There is no such order.",
    });
  });

  it("tells the model which argument the address lacks, and asks nobody", async () => {
    const before = seen.length;
    const ask = run({ url: `http://${host}/orders/{{ args.order }}` });
    expect((await ask(never)).result).toMatchObject({ success: false, error: "invalid_arguments" });
    expect(seen).toHaveLength(before);
  });

  it("has none of its secrets in the result, even if the service sends them back", async () => {
    const file = httpToolFile.parse({
      description: "Says what it heard.",
      request: { url: `http://${host}/echo`, headers: { Authorization: "Bearer {{ secrets.TOKEN }}" } },
    });
    const options = {
      templates: new Templates(),
      secrets: new Map([["TOKEN", "s3cret"]]),
      sender,
      logger: silentLogger,
    };
    const tool = createHttpTools(new Map([["echo", toHttpTool("echo", file)]]), options).get("echo");
    expect(await tool?.run({}, { ...context, signal: never })).toMatchObject({ result: { heard: "Bearer ***" } });
  });

  it("goes nowhere else when it is told to", async () => {
    const before = seen.length;
    expect((await run({ url: `http://${host}/moved` })(never)).result).toMatchObject({ error: "http_302" });
    expect(seen).toHaveLength(before + 1);
  });

  it("reads no more than it may", async () => {
    const { result } = await run({ url: `http://${host}/endless` })(never);
    expect(result).toMatchObject({ success: false, error: "unreadable_answer" });
  });

  it.each(["/endless", "/torn"])(
    "[TOOL-5] has done what a 2xx says, whatever becomes of the body: %s",
    async (path) => {
      const { result } = await run({ method: "POST", url: `http://${host}${path}` })(never);
      expect(result).toMatchObject({ success: true, note: expect.stringContaining("It was done") });
    },
  );

  it("[TOOL-5] has done what a 2xx says, also where the body does not end before the deadline", async () => {
    const deadline = new AbortController();
    const statusArrived = headOfAnswerTo("/trickling");
    const asking = run({ method: "POST", url: `http://${host}/trickling` })(deadline.signal);
    await statusArrived;
    expect(seen.at(-1)?.url).toBe("/trickling");
    deadline.abort();
    expect((await asking).result).toMatchObject({ success: true });
  });

  it("[TOOL-4b] [TOOL-4c] knows that nothing was done where nobody could be reached, and does not know it once the request was sent", async () => {
    // No resolver is asked for a name with a part of more than 63 characters.
    const unknown = `${"x".repeat(64)}.invalid`;
    const nobody = createHttpSender(["localhost:1", unknown]);
    for (const url of ["http://localhost:1/", `http://${unknown}/`])
      await expect(run({ method: "POST", url }, {}, nobody)(never)).rejects.toBeInstanceOf(NotDoneError);
    await nobody.close();
    const torn = run({ method: "POST", url: `http://${host}/reset` })(never);
    await expect(torn).rejects.toMatchObject({ code: "upstream_unavailable" });
    await expect(torn).rejects.not.toBeInstanceOf(NotDoneError);
  });

  it("[TOOL-5] reads the character set that the service names", async () => {
    expect((await run({ url: `http://${host}/latin` })(never)).result).toEqual({ success: true, state: "München" });
  });

  it("stops when it is called off", async () => {
    const cancelled = new AbortController();
    const asking = run({ url: `http://${host}/silent` })(cancelled.signal);
    cancelled.abort();
    await expect(asking).rejects.toMatchObject({ name: "AbortError" });
  });

  it.each(["localhost", "127.0.0.1"])(
    "never reaches this machine through %s unless the settings say so",
    async (name) => {
      const before = seen.length;
      const publicOnly = createHttpSender([]);
      const url = `http://${host.replace("localhost", name)}/orders/1`;
      await expect(run({ url }, {}, publicOnly)(never)).rejects.toMatchObject({ code: "forbidden" });
      await publicOnly.close();
      expect(seen).toHaveLength(before);
    },
  );
});
