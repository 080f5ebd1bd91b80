/** What a scraper reads of a streaming host, over a real socket. */
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import { serveMetrics } from "@voice/streaming-host/server/host/serve-metrics";
import { expect, it } from "vitest";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";

it("is served on a port of its own: conversations and places as they are, and the turns so far", async () => {
  const settings = loadSettings({ METRICS_PORT: "0", MAX_SESSIONS: "7" });
  const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const telemetry = await loadTelemetry(
    { settings, name: "voice-streaming-host", version: "1", exportsLogs: true, identity },
    () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
  );
  const metrics = await serveMetrics(telemetry, settings);
  const host = await startTestHost({ settings: { MAX_SESSIONS: "7" }, telemetry });
  const browser = await connectBrowser(host.url("/api/v1/browser/conversation"));
  await browser.ask("hello");
  const answer = await fetch(`http://127.0.0.1:${metrics?.port}/metrics`);
  const text = await answer.text();
  const elsewhere = await fetch(`http://127.0.0.1:${metrics?.port}/`);
  await browser.close();
  await host.close();
  metrics?.close();
  await telemetry.close();
  expect(answer.headers.get("content-type")).toContain("text/plain");
  expect(text).toMatch(/^voice_host_sessions\{channel="browser".*\} 1$/m);
  expect(text).toMatch(/^voice_host_sessions\{channel="phone".*\} 0$/m);
  expect(text).toMatch(/^voice_host_capacity(?:\{.*\})? 7$/m);
  expect(text).toMatch(/^voice_turns_total\{.*mode="REALTIME".*outcome="complete".*\} 1$/m);
  expect(text).toMatch(/^voice_turn_first_audio_count\{.*mode="REALTIME".*\} 1$/m);
  expect(elsewhere.status).toBe(404);
});

it("is not there where no port was asked for", async () => {
  const settings = loadSettings({});
  expect(await serveMetrics({ prometheus: undefined }, settings)).toBeUndefined();
});

it("names its own settings where its port is taken, because the host has another port", async () => {
  const prometheus = async (): Promise<string> => "";
  const first = await serveMetrics({ prometheus }, loadSettings({ METRICS_PORT: "0" }));
  const again = serveMetrics({ prometheus }, loadSettings({ METRICS_PORT: String(first?.port) }));
  await expect(again).rejects.toThrow(/METRICS_PORT cannot be served on METRICS_HOST: listen EADDRINUSE/);
  first?.close();
});
