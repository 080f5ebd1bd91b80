/** The vendor's App Configuration SDK against a server that speaks the store's protocol. */
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAppConfigurationLoader } from "@voice/shared/config/app-configuration";
import { timeOf } from "../support/wait.ts";

interface StoredValue {
  readonly key: string;
  readonly label: string | null;
  readonly value: string;
  readonly content_type?: string;
}

describe("app configuration", () => {
  const stored: StoredValue[] = [];
  let server: Server;
  let connectionString = "";
  let isAway = false;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://store");
      const wanted = url.searchParams.get("label") ?? "\0";
      const isSigned = request.headers.authorization?.startsWith("HMAC-SHA256 Credential=the-id&") === true;
      if (isAway || !isSigned || url.pathname !== "/kv") {
        response.writeHead(isAway ? 503 : 401).end();
        return;
      }
      const items = stored
        .filter(({ label }) => (label ?? "\0") === wanted)
        .map(({ key, label, value, content_type = "" }) => ({
          key,
          label,
          value,
          content_type,
          tags: {},
          etag: "e",
          locked: false,
          last_modified: "2026-01-01T00:00:00Z",
        }));
      response.writeHead(200, { "content-type": "application/vnd.microsoft.appconfig.kvset+json", etag: '"page"' });
      response.end(JSON.stringify({ items, etag: "page" }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = address === null || typeof address === "string" ? 0 : address.port;
    connectionString = `Endpoint=http://127.0.0.1:${port};Id=the-id;Secret=${Buffer.from("secret").toString("base64")}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (label?: string) =>
    createAppConfigurationLoader({
      source: { connectionString },
      label,
      clientOptions: { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } },
    });

  it("reads the values of its label, parsed ones as JSON", async () => {
    stored.splice(0);
    stored.push(
      { key: "TTS_STYLE", label: null, value: "calm" },
      { key: "TTS_STYLE", label: "prod", value: "cheerful" },
      {
        key: "MCP_SERVERS",
        label: "prod",
        value: '[{"name":"a","url":"https://a"}]',
        content_type: "application/json",
      },
    );
    expect(await open()()).toEqual(new Map([["TTS_STYLE", "calm"]]));
    expect(await open("prod")()).toEqual(
      new Map([
        ["TTS_STYLE", "cheerful"],
        ["MCP_SERVERS", '[{"name":"a","url":"https://a"}]'],
      ]),
    );
  });

  it("reads what is there now each time it is asked", async () => {
    const loader = open();
    stored.splice(0, stored.length, { key: "TTS_RATE", label: null, value: "+1%" });
    expect((await loader()).get("TTS_RATE")).toBe("+1%");
    stored.splice(0, stored.length, { key: "TTS_RATE", label: null, value: "+2%" });
    expect((await loader()).get("TTS_RATE")).toBe("+2%");
  });

  it("rejects within a bound when the store is away", async () => {
    isAway = true;
    const tookMs = await timeOf(() => expect(open()()).rejects.toThrow(/load/i), 12_000);
    expect(tookMs).toBeLessThan(12_000);
  });
});
