/** The host's semantics, over real sockets, on an app made for the purpose. */
import { connect } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadFunctionsApp } from "@voice/local/functions-host/functions-app";
import { serveFunctions, type ServedFunctions } from "@voice/local/functions-host/serve";

let served: ServedFunctions;

beforeAll(async () => {
  const app = await loadFunctionsApp(path.join(import.meta.dirname, "../fixtures/functions-app/main.mjs"));
  served = await serveFunctions(app);
});

afterAll(async () => served.close());

async function echoOf(target: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(served.url + target, init);
  return response.json();
}

/** Bytes as they are; fetch is too polite for some of these. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(served.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(text));
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe("the local functions host", () => {
  it("takes the first function by name, not the most specific route", async () => {
    const response = await fetch(`${served.url}/media/status`);
    expect(await response.text()).toBe("byId");
  });

  it("answers an unknown path and a wrong method with an empty 404", async () => {
    for (const [method, target] of [
      ["GET", "/unknown"],
      ["PUT", "/echo"],
      ["OPTIONS", "/echo"],
      ["GET", "//echo"],
    ]) {
      const response = await fetch(served.url + target, { method: method ?? "GET" });
      expect(response.status).toBe(404);
      expect(response.headers.get("allow")).toBeNull();
      expect(await response.text()).toBe("");
    }
  });

  it("ignores letter case in literals and one trailing slash", async () => {
    expect(await echoOf("/ECHO/AbC/")).toMatchObject({ params: { value: "AbC" } });
  });

  it("joins repeated query keys with a comma", async () => {
    expect(await echoOf("/echo?a=1&a=2&b=%20")).toMatchObject({
      query: [
        ["a", "1,2"],
        ["b", " "],
      ],
    });
  });

  it("hands the handler the whole URL as the client wrote it", async () => {
    expect(await echoOf("/echo/a%2Fb?c=d")).toMatchObject({
      url: `${served.url}/echo/a%2Fb?c=d`,
      params: { value: "a%2Fb" },
    });
  });

  it("reads the path from a whole URL, as proxies send it, and without its dot segments", async () => {
    const answer = await raw(
      "GET http://proxied.example/echo/x/../y?c=d HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).toContain('"params":{"value":"y"}');
  });

  it("passes a body with a length on and a chunked one as empty", async () => {
    expect(await echoOf("/echo", { method: "POST", body: "hello" })).toMatchObject({ body: "hello" });
    const answer = await raw(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).toContain('"body":""');
  });

  it("joins repeated headers", async () => {
    const answer = await raw(
      "GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Twice: a\r\nX-Twice: b\r\n\r\n",
    );
    expect(answer).toContain('"header":"a,b"');
  });

  it("refuses a Host header that makes no URL", async () => {
    const answer = await raw("GET /echo HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
  });

  it("answers 204 for nothing and an empty 500 for an exception", async () => {
    expect((await fetch(`${served.url}/nothing`)).status).toBe(204);
    const thrown = await fetch(`${served.url}/throws`);
    expect(thrown.status).toBe(500);
    expect(await thrown.text()).toBe("");
  });

  it("sends a HEAD answer without its body but with its length", async () => {
    const response = await fetch(`${served.url}/echo`, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(0);
    expect(await response.text()).toBe("");
  });

  it("writes the library's cookies", async () => {
    const response = await fetch(`${served.url}/cookie`);
    expect(response.headers.get("set-cookie")).toBe("a=b%20c; Path=/; HttpOnly");
  });

  it("sends a streamed body as it comes, with the length that the handler states", async () => {
    const response = await fetch(`${served.url}/stream`);
    expect(response.headers.get("content-length")).toBe(String(3 * 65_536));
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([3 * 65_536, 0, 2]);
  });

  it("reads no more of a stream than the client takes, and none of it once the client is gone", async () => {
    const endless = 100_000;
    const abort = new AbortController();
    const response = await fetch(`${served.url}/stream?pieces=${endless}`, { signal: abort.signal });
    expect(await outcome()).toBe("open");
    await response.body?.getReader().read();
    abort.abort();
    await expect.poll(outcome).toBe("cut");
  });

  it("cuts the answer short when its stream fails, so that nobody takes a part for the whole", async () => {
    const response = await fetch(`${served.url}/stream?fails=2`);
    await expect(response.arrayBuffer()).rejects.toThrow("terminated");
  });

  it("says with HEAD how long a streamed body would be", async () => {
    const response = await fetch(`${served.url}/stream`, { method: "HEAD" });
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(3 * 65_536)]);
  });
});

async function outcome(): Promise<string> {
  return (await fetch(`${served.url}/streamed`)).text();
}
