import { stat } from "node:fs/promises";
import { createServer } from "node:http";

import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it, onTestFinished } from "vitest";

import { buildConsole } from "../../local/console/build-console.ts";
import { elementFiles } from "../../local/console/build-element.ts";
import { serveConsole, type ConsoleOptions } from "../../local/console/serve-console.ts";

/** A server in which the console comes first and everything else is a teapot. */
async function openServer(options: ConsoleOptions = {}): Promise<string> {
  const console = serveConsole(options);
  const server = createServer((request, response) => {
    if (!console(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

describe("the served console", () => {
  it("is there without a build step and builds only once", async () => {
    const origin = await openServer();
    const page = await fetch(origin);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toContain('<div id="root">');
    const { folder, isFresh } = await buildConsole();
    expect(isFresh).toBe(false);
    // The user that runs the packaged host may read it.
    expect((await stat(folder)).mode & 0o005).toBe(0o005);
  });

  it("lets a browser keep the scripts for good and ask again for the page", async () => {
    const origin = await openServer();
    const page = await fetch(origin);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? "no script";
    const asset = await fetch(new URL(script, origin));
    expect(asset.headers.get("cache-control")).toContain("immutable");
    expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8");

    const etag = page.headers.get("etag") ?? "none";
    const again = await fetch(origin, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  it("allows code and sockets of its own origin only", async () => {
    const policy = (await fetch(await openServer())).headers.get("content-security-policy");
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("unsafe");
  });

  it("[ACCESS-16d] may also reach where people sign in", async () => {
    const origin = await openServer({ reaches: ["https://id.example"] });
    const policy = (await fetch(origin)).headers.get("content-security-policy");
    expect(policy).toContain("connect-src 'self' https://id.example;");
  });

  it("[CLIENT-6] serves the element to pages of any origin, in at most 40 kB, and with or without the console", async () => {
    for (const hasConsole of [true, false]) {
      const origin = await openServer({ hasConsole });
      const headers = { origin: "https://shop.example", "accept-encoding": "gzip" };
      const scripts = await Promise.all(elementFiles.map((file) => fetch(`${origin}/${file}`, { headers })));
      for (const { headers: sent } of scripts)
        expect(Object.fromEntries(sent)).toMatchObject({
          "access-control-allow-origin": "*",
          "cache-control": "public, max-age=300, stale-while-revalidate=86400",
          "content-encoding": "gzip",
          "content-type": "text/javascript; charset=utf-8",
          "cross-origin-resource-policy": "cross-origin",
        });
      const sizes = scripts.map(({ headers: sent }) => Number(sent.get("content-length")));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000);
      expect((await fetch(origin)).status).toBe(hasConsole ? 200 : 418);
    }
  });

  it("is sent compressed to browsers that accept it, and is at most 250 KB", async () => {
    const origin = await openServer();
    const page = await (await fetch(origin)).text();
    const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    for (const [accepted, encoding] of [
      ["gzip, deflate", "gzip"],
      ["gzip, deflate, br", "br"],
      ["gzip, br;q=0", "gzip"],
    ] as const) {
      const headers = { "accept-encoding": accepted };
      const answers = await Promise.all(paths.map((path) => fetch(new URL(path, origin), { headers })));
      expect(answers.map((answer) => answer.headers.get("content-encoding"))).toEqual(paths.map(() => encoding));
      const sizes = answers.map((answer) => Number(answer.headers.get("content-length")));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
    }
    const plain = await fetch(new URL(paths[0] ?? "", origin), { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
  });

  it("answers HEAD without a body", async () => {
    const head = await fetch(await openServer(), { method: "HEAD" });
    expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: "" });
  });

  it.each([
    ["GET", "/api/v1/health"],
    ["GET", "/docs"],
    ["POST", "/"],
    ["GET", "/assets/../package.json"],
    ["GET", "/built-from.txt"],
  ])("leaves %s %s to others", async (method, path) => {
    expect((await fetch(new URL(path, await openServer()), { method })).status).toBe(418);
  });

  it("has no assets but its own", async () => {
    expect((await fetch(new URL("/assets/nothing.js", await openServer()))).status).toBe(404);
  });

  it("shows why there is no page, and leaves the service alone", async () => {
    const build = () => Promise.reject(new VoiceError("internal_error", "the console could not be built: no vite"));
    const origin = await openServer({ build });
    const page = await fetch(origin);
    expect(page.status).toBe(500);
    expect(await page.text()).toContain("could not be built: no vite");
    expect((await fetch(new URL("/api/v1/health", origin))).status).toBe(418);
  });
});
