/** A page of somebody else in a real browser, against a service that only this machine can reach and that asks for no token. */
import { once } from "node:events";
import { createServer } from "node:http";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { startLocalPhoneNetwork, type PhoneNetwork } from "../../local/phone-network.ts";
import { portOf, type Service } from "../../local/service.ts";
import { launchChromium, openPage } from "../support/chromium.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { addressOf, doorsTo } from "../hostile/doors.ts";
import { freePort } from "../support/free-port.ts";
import { servicesSpeech } from "../support/speech-engines.ts";
import { knock } from "../support/browser-client.ts";
import { startTestService } from "../support/test-service.ts";

const reboundName = "evil.example";
/** From the table of routes, so that a new one is tried too. */
const everySocket = doorsTo("99999999-8888-4777-8666-555555555555");
const call = { target_number: "+14255550123" };

/** What a page can try, run inside it; each says what came of it. */
async function tryFrom(page: Page, target: string): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(
    async ({ url, body, sockets }) => {
      const post = async (init: RequestInit): Promise<string> => {
        try {
          const response = await fetch(`${url}/api/v1/calls/initiate`, { method: "POST", ...init });
          return response.type === "opaque" ? "not told" : String(response.status);
        } catch {
          return "not told";
        }
      };
      const open = (path: string): Promise<string> =>
        new Promise((resolve) => {
          const socket = new WebSocket(url.replace("http", "ws") + path);
          socket.addEventListener("open", () => socket.send('{"type":"ping"}'));
          socket.addEventListener("message", () => {
            resolve("open");
            socket.close();
          });
          socket.addEventListener("close", ({ code, reason }) => resolve(`${code} ${reason}`.trim()));
        });
      const json = JSON.stringify(body);
      return {
        json: await post({ body: json, headers: { "content-type": "application/json" } }),
        plain: await post({ body: json, mode: "no-cors" }),
        untyped: await post({ body: new Blob([json]), mode: "no-cors" }),
        anonymous: await post({ body: new Blob([json]), mode: "no-cors", referrerPolicy: "no-referrer" }),
        conversation: await open("/api/v1/browser/conversation"),
        relay: await open("/api/v1/browser/dashboard/relay"),
        ...Object.fromEntries(await Promise.all(sockets.map(async (path) => [path, await open(path)]))),
      };
    },
    { url: target, body: call, sockets: everySocket },
  );
}

let network: PhoneNetwork;
let service: Service;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  network = await startLocalPhoneNetwork({ baseUrl: url, localSpeech: servicesSpeech });
  const settings = loadSettings({ PORT: `${port}`, ...network.environment });
  service = await startTestService({ settings, logger: silentLogger });
});

afterAll(async () => {
  await service?.close(0);
  await network?.close();
});

describe.runIf(isChromiumAvailable())("a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium({ reboundName });
  });

  afterAll(async () => {
    await browser?.close();
  });

  async function visit(address: string): Promise<Page> {
    const page = await openPage(browser);
    onTestFinished(() => page.close());
    await page.goto(address);
    return page;
  }

  async function callCount(): Promise<number> {
    return (await service.state.calls.list({ offset: 0, limit: 1 })).total;
  }

  it("[ACCESS-3] [CLIENT-1] opens no socket and places no call for a page of another origin, and tells it why", async () => {
    const told = "4403 pages of this origin may not use the service; CORS_ALLOWED_ORIGINS has to list it";
    const elsewhere = createServer((_request, response) =>
      response.setHeader("content-type", "text/html").end("hello"),
    );
    await new Promise<void>((resolve) => {
      elsewhere.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void elsewhere.close());
    const page = await visit(`http://127.0.0.1:${portOf(elsewhere)}/`);
    expect(await tryFrom(page, url)).toEqual({
      json: "not told",
      plain: "not told",
      untyped: "not told",
      anonymous: "not told",
      conversation: told,
      relay: told,
      ...Object.fromEntries(everySocket.map((path) => [path, told])),
    });
    expect(await callCount()).toBe(0);
  });

  it("[ACCESS-5] reads and changes nothing for a name that was made to point to this machine", async () => {
    const rebound = `http://${reboundName}:${service.port}`;
    const page = await visit(`${rebound}/api/v1/sessions`);
    expect(await page.content()).toContain("BASE_URL says under which name");
    const tried = await tryFrom(page, rebound);
    expect(new Set(Object.values(tried))).toEqual(new Set(["403", "1006"]));
    expect(await callCount()).toBe(0);
  });

  it("does all of it for a page of the service itself", async () => {
    const page = await visit(`${url}/docs`);
    const { json, conversation, relay } = await tryFrom(page, url);
    expect({ json, conversation, relay }).toEqual({ json: "200", conversation: "open", relay: "open" });
    expect(await callCount()).toBeGreaterThan(0);
  });
});

describe("a client that is no browser", () => {
  const relay = (): string => `ws://127.0.0.1:${service.port}/api/v1/browser/dashboard/relay`;

  it("sends no Origin, and is not hindered", async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(call);
    const placed = await fetch(`${url}/api/v1/calls/initiate`, { method: "POST", headers, body });
    expect(placed.status).toBe(200);
    expect(await knock(relay())).toBe(101);
  });

  it("is told why it is refused when it claims to be a page of somebody else", async () => {
    const headers = { origin: "https://evil.example" };
    const refused = await fetch(`${url}/api/v1/calls/initiate`, {
      method: "POST",
      headers,
      body: JSON.stringify(call),
    });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      type: "forbidden",
      detail: expect.stringContaining("CORS_ALLOWED_ORIGINS"),
    });
    expect(await knock(relay(), { origin: url })).toBe(101);
  });

  it.each(everySocket)("[ACCESS-3] is refused for its origin, and for nothing else, at %s", async (path) => {
    const headers = { origin: "https://evil.example" };
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}${path}`, { headers });
    let messages = 0;
    socket.on("message", () => (messages += 1));
    expect(await once(socket, "close")).toEqual([4403, expect.anything()]);
    expect(messages).toBe(0);
  });

  it("[ACCESS-3] is refused for its origin wherever a request changes something", async () => {
    const changing = endpoints.filter(({ method }) => !["GET", "OPTIONS"].includes(method));
    const answers = await Promise.all(
      changing.map(async ({ method, path }) => {
        const headers = { origin: "https://evil.example" };
        const { status } = await fetch(`${url}${addressOf(path, "some-session-1")}`, { method, headers });
        return `${method} ${path} ${status}`;
      }),
    );
    expect(answers.length).toBeGreaterThan(15);
    expect(answers.filter((answer) => !answer.endsWith(" 403"))).toEqual([]);
  });
});
