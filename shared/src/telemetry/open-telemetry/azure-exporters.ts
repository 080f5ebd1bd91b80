/**
 * Application Insights, through Azure's exporter and not its distribution: the latter includes instrumentations that patch a dozen
 * libraries as they load, which our spans do not need.
 */
import {
  AzureMonitorLogExporter,
  AzureMonitorMetricExporter,
  AzureMonitorTraceExporter,
} from "@azure/monitor-opentelemetry-exporter";
import { VoiceError } from "../../platform/errors.ts";
import type { TelemetryOptions } from "../load-telemetry.ts";
import type { Exporters } from "./exporters.ts";

export function azureExporters({ settings, identity }: Pick<TelemetryOptions, "settings" | "identity">): Exporters {
  const { insightsConnectionString: connectionString } = settings;
  if (connectionString === undefined)
    throw new VoiceError("dependency_not_ready", "APPLICATIONINSIGHTS_CONNECTION_STRING is not set");
  // A container's disk does not outlive it, and data that cannot be sent is not worth filling the disk.
  const options = { connectionString, credential: identity, disableOfflineStorage: true };
  return {
    traces: [new AzureMonitorTraceExporter(options)],
    metrics: [new AzureMonitorMetricExporter(options)],
    logs: [new AzureMonitorLogExporter(options)],
  };
}
