/** What Application Insights gets of a conversation, by Azure's own exporter, at an ingestion endpoint on this machine. */
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { gunzipSync } from "node:zlib";
import { loadSettings } from "@voice/shared/config/load";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import { createLogger } from "@voice/shared/platform/logger";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createCertificates, type Certificates } from "../support/certificates.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { isOpensslAvailable } from "../support/installed-programs.ts";
import { startTestHost } from "../support/test-host.ts";

interface Post {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

describe.runIf(isOpensslAvailable())("Application Insights", () => {
  const trusted = getCACertificates("default");
  const posts: Post[] = [];
  let certificates: Certificates;
  let server: Server;
  let endpoint: string;

  async function keep(request: IncomingMessage): Promise<void> {
    const { url: path = "", headers } = request;
    const sent = await buffer(request);
    const body = (headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent).toString();
    posts.push({ path, authorization: headers.authorization, body });
  }

  beforeAll(async () => {
    // Azure's exporter tells its makers how it fares unless it is told not to; a test tells nobody anything.
    vi.stubEnv("APPLICATION_INSIGHTS_NO_STATSBEAT", "true");
    certificates = createCertificates();
    setDefaultCACertificates([...trusted, certificates.ca]);
    const { certFile, keyFile } = certificates;
    server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
      void keep(request);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ itemsReceived: 1, itemsAccepted: 1, errors: [] }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the endpoint has no port");
    endpoint = `https://localhost:${address.port}/`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
    certificates.remove();
    setDefaultCACertificates(trusted);
    vi.unstubAllEnvs();
  });

  it("gets the spans, metrics and logs of a conversation with the identity's token, and no word of it", async () => {
    const key = "00000000-0000-4000-8000-000000000001";
    const settings = loadSettings({
      TELEMETRY: "application-insights",
      APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${key};IngestionEndpoint=${endpoint}`,
    });
    const identity = {
      getToken: () => Promise.resolve({ token: "of-entra", expiresOnTimestamp: Date.now() + 3_600_000 }),
      tokenFor: () => () => Promise.resolve("of-entra"),
    };
    const telemetry = await loadTelemetry(
      { settings, name: "voice-streaming-host", version: "1", exportsLogs: true, identity },
      () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
    );
    createLogger({ level: "info", name: "test", also: telemetry.log }).info({ sessions: 1 }, "a line of the log");
    const host = await startTestHost({ telemetry });
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation?user_email=una%40example.com"));
    await browser.ask("my secret is marmalade");
    await browser.close();
    await host.close();
    await telemetry.close();

    expect(posts.length).toBeGreaterThan(1);
    for (const { path, authorization } of posts)
      expect({ path, authorization }).toEqual({ path: "/v2.1/track", authorization: "Bearer of-entra" });
    const sent = posts.map(({ body }) => body).join("\n");
    expect(sent).toContain(key);
    // A span of the turn with what the alerts and the workbook ask for, a metric, a line of the log, and whose they are.
    expect(sent).toMatch(/"name":"turn"/);
    expect(sent).toContain("voice.turn.first_audio_ms");
    expect(sent).toContain("voice.turns");
    expect(sent).toContain("a line of the log");
    expect(sent).toContain("voice-streaming-host");
    expect(sent).not.toMatch(/marmalade|You said|una(?:@|%40)example/i);
  });
});
