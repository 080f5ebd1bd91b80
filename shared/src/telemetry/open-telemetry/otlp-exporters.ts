/**
 * OTLP over HTTP in protobuf. The exporters read other options (time-outs, compression, an endpoint per signal) from OTEL_EXPORTER_OTLP_*.
 */
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-proto";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { TelemetryOptions } from "../load-telemetry.ts";
import type { Exporters } from "./exporters.ts";

export function otlpExporters({ settings }: Pick<TelemetryOptions, "settings">): Exporters {
  const { otlpEndpoint, otlpHeaders } = settings;
  const at = (path: string) => ({
    ...(otlpEndpoint === undefined ? {} : { url: `${otlpEndpoint}/v1/${path}` }),
    ...(otlpHeaders === undefined ? {} : { headers: { ...otlpHeaders } }),
  });
  return {
    traces: [new OTLPTraceExporter(at("traces"))],
    metrics: [new OTLPMetricExporter(at("metrics"))],
    logs: [new OTLPLogExporter(at("logs"))],
  };
}
