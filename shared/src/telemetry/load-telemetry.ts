/** Loads telemetry as configured. Exporters are large, so they are loaded only if configured. */
import type { EntraCredential } from "../platform/entra-credential.ts";
import { noTelemetry } from "./telemetry.ts";
import type { RunningTelemetry } from "./telemetry.ts";
import type { Settings } from "../config/settings.ts";

export type TelemetrySettings = Pick<
  Settings,
  | "telemetry"
  | "telemetrySampling"
  | "metricsPort"
  | "otlpEndpoint"
  | "otlpHeaders"
  | "insightsConnectionString"
  | "environment"
>;

export interface TelemetryOptions {
  readonly settings: TelemetrySettings;
  /** `service.name`, unless OTEL_SERVICE_NAME says another. */
  readonly name: string;
  readonly version: string;
  /** False if the platform collects the log itself. */
  readonly exportsLogs: boolean;
  readonly identity: EntraCredential;
}

export interface TelemetryModule {
  readonly startOpenTelemetry: (options: TelemetryOptions) => Promise<RunningTelemetry>;
}

export async function loadTelemetry(
  options: TelemetryOptions,
  load: () => Promise<TelemetryModule>,
): Promise<RunningTelemetry> {
  const { telemetry, metricsPort } = options.settings;
  if (telemetry.length === 0 && metricsPort === undefined) return noTelemetry;
  const { startOpenTelemetry } = await load();
  return startOpenTelemetry(options);
}
