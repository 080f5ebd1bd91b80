/** Where traces, metrics and logs go. */
import { collectorUrl, connectionString, decimal, encodedHeaderList, integer, listOf, oneOf, text } from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

export const telemetryExporters = ["otlp", "application-insights"] as const;

export const telemetrySettings = {
  telemetry: defaulted(
    "TELEMETRY",
    listOf(oneOf(telemetryExporters)),
    "",
    "Where traces, metrics and logs are exported to. If not set, nothing is exported. `otlp`: OTLP over HTTP, as the standard OTEL_EXPORTER_OTLP_* variables say.",
  ),
  telemetrySampling: defaulted(
    "TELEMETRY_SAMPLING",
    decimal(0, 1),
    "1",
    "Share of the traces that are exported, chosen by the trace's id: all processes choose the same ones. Metrics count everything.",
  ),
  otlpEndpoint: optional(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    collectorUrl,
    "Base URL of the collector. If not set: http://localhost:4318.",
  ),
  otlpHeaders: secret(
    "OTEL_EXPORTER_OTLP_HEADERS",
    encodedHeaderList,
    "Headers that the collector asks for, as `name=value` pairs with commas between them.",
  ),
  // Not a secret: with local authentication disabled it grants no access, and otherwise it only permits sending
  // telemetry.
  insightsConnectionString: optional(
    "APPLICATIONINSIGHTS_CONNECTION_STRING",
    connectionString(["InstrumentationKey"]),
    "The Application Insights resource that `application-insights` exports to, with Entra authentication.",
  ),
  metricsPort: optional(
    "METRICS_PORT",
    integer(0, 65_535),
    "Port on which a streaming host serves `/metrics` for Prometheus; 0 picks a free one. If not set, metrics are not served.",
  ),
  metricsHost: defaulted(
    "METRICS_HOST",
    text,
    "127.0.0.1",
    "Address to serve `/metrics` on. It needs no authentication, so it must not be reachable by strangers.",
  ),
};
