import { createServer } from "node:http";
import { once } from "node:events";
import { loadSettings } from "@voice/shared/config/load";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveDialogues } from "./serve-dialogues.ts";

const print = (script: string) => [process.execPath, "-e", script, "--"] as const;

async function serve(script: string, environment: Record<string, string> = {}) {
  const settings = loadSettings({ HOST: "127.0.0.1", ...environment });
  const listener = serveDialogues(settings, [...print(script)]);
  const server = createServer((request, response) => {
    if (!listener(request, response)) response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has a port");
  const origin = `http://127.0.0.1:${address.port}`;
  return (query: string, init: RequestInit = {}) => fetch(`${origin}/dialogues${query}`, { method: "POST", ...init });
}

describe("holding dialogues for the page", () => {
  it("[BUILD-5] answers with what the command says, and with its last words where it fails", async () => {
    const ask = await serve(
      "console.log(process.argv.slice(1).join(' ')); console.error('no such scenario'); process.exit(1)",
    );
    const answer = await ask("?scenario=bank");
    expect(await answer.text()).toBe('--json --scenario bank\n{"problem":"no such scenario"}\n');
  });

  it("[PUBLISH-21] has published versions of this service held side by side", async () => {
    const ask = await serve("console.log(process.argv.slice(1).join(' '))");
    const answer = await ask("?scenario=bank&versions=0,3");
    expect(await answer.text()).toMatch(/^--json --scenario bank --versions 0,3 --url http:\/\/127\.0\.0\.1:\d+\n$/);
    expect((await ask("?scenario=bank&versions=0,--audio")).status).toBe(400);
  });

  it("[BUILD-5] refuses what is no name, another page, and a second one at the same time", async () => {
    const ask = await serve("setInterval(() => undefined, 1000)");
    expect((await ask("?scenario=--audio")).status).toBe(400);
    expect((await ask("?scenario=bank", { headers: { origin: "https://evil.example" } })).status).toBe(403);
    const abort = new AbortController();
    const first = await ask("?scenario=bank", { signal: abort.signal });
    expect(first.status).toBe(200);
    expect((await ask("?scenario=bank")).status).toBe(409);
    abort.abort();
  });

  it("[BUILD-5] is not there where people have to sign in", async () => {
    const ask = await serve("", {
      ENABLE_AUTH_VALIDATION: "true",
      BACKEND_AUTH_CLIENT_ID: "00000000-0000-4000-8000-000000000001",
      CLOUD_TENANT_ID: "00000000-0000-4000-8000-000000000002",
      ALLOWED_CLIENT_IDS: "00000000-0000-4000-8000-000000000003",
    });
    expect((await ask("?scenario=bank")).status).toBe(404);
  });
});
