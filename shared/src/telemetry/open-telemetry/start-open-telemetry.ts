/** Telemetry over the OpenTelemetry SDK. Large, so it is imported only if telemetry is configured. */
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import type { Resource } from "@opentelemetry/resources";
import { createUuid } from "../../platform/ids.ts";
import type { TelemetryModule, TelemetryOptions } from "../load-telemetry.ts";
import { createMetrics } from "./metrics.ts";
import { createLogSink } from "./logs.ts";
import { createTraces } from "./traces.ts";
import type { Exporters } from "./exporters.ts";

/** The remaining data is worth a short wait, but must not prevent the process from ending. */
const closeMs = 2000;

export const startOpenTelemetry: TelemetryModule["startOpenTelemetry"] = async (options) => {
  const { settings, exportsLogs } = options;
  const resource = resourceOf(options);
  const exporters = await exportersOf(options);
  const traces = createTraces(resource, exporters.traces, settings.telemetrySampling);
  const metrics = createMetrics(resource, exporters.metrics, settings.metricsPort !== undefined);
  const logs = exportsLogs && exporters.logs.length > 0 ? createLogSink(resource, exporters.logs) : undefined;
  let closing: Promise<void> | undefined;
  return {
    isOn: exporters.traces.length > 0,
    span: traces.span,
    count: metrics.count,
    record: metrics.record,
    observe: metrics.observe,
    log: logs,
    prometheus: metrics.prometheus,
    close: () => (closing ??= closeWithin(closeMs, [traces, metrics, ...(logs === undefined ? [] : [logs])])),
  };
};

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
function resourceOf({ name, version, settings }: TelemetryOptions): Resource {
  const own = resourceFromAttributes({
    "service.namespace": "voice",
    "service.name": name,
    "service.version": version,
    "service.instance.id": createUuid(),
    "deployment.environment.name": settings.environment,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}

/** If the collector is unreachable, exports fail one after the other, each with its own time-out. */
async function closeWithin(limitMs: number, parts: readonly { close(): Promise<void> }[]): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, limitMs);
  await Promise.race([Promise.allSettled(parts.map((part) => part.close())), late.promise]);
  clearTimeout(timer);
}

/** Loads only the exporters that the settings name. */
async function exportersOf(options: TelemetryOptions): Promise<Exporters> {
  const { telemetry } = options.settings;
  const made = await Promise.all([
    ...(telemetry.includes("otlp")
      ? [import("./otlp-exporters.ts").then((module) => module.otlpExporters(options))]
      : []),
    ...(telemetry.includes("application-insights")
      ? [import("./azure-exporters.ts").then((module) => module.azureExporters(options))]
      : []),
  ]);
  return {
    traces: made.flatMap(({ traces }) => traces),
    metrics: made.flatMap(({ metrics }) => metrics),
    logs: made.flatMap(({ logs }) => logs),
  };
}
