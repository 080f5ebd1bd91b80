/** Serves `/metrics` on its own port for a scraper, so that clients of the host's main port cannot read it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { RunningTelemetry } from "@voice/shared/telemetry/telemetry";
import type { Settings } from "@voice/shared/config/settings";

export interface ServedMetrics {
  readonly port: number;
  close(): void;
}

/** Undefined if metrics are not enabled. */
export async function serveMetrics(
  { prometheus }: Pick<RunningTelemetry, "prometheus">,
  { metricsPort, metricsHost }: Pick<Settings, "metricsPort" | "metricsHost">,
): Promise<ServedMetrics | undefined> {
  if (prometheus === undefined || metricsPort === undefined) return undefined;
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?", 1)[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    prometheus().then(
      (text) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(metricsPort, metricsHost);
  try {
    await once(server, "listening");
  } catch (error) {
    // Otherwise it would read as if the host's own port were in use.
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([`METRICS_PORT cannot be served on METRICS_HOST: ${reason}`]);
  }
  const address: AddressInfo | string | null = server.address();
  return {
    port: address === null || typeof address === "string" ? metricsPort : address.port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
