/** Loads only the exporters that the settings name. */
import type { TelemetryOptions } from "../load-telemetry.ts";
import type { Exporters } from "./exporters.ts";

export async function exportersOf(options: TelemetryOptions): Promise<Exporters> {
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
