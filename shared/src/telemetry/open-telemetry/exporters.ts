/** What the SDK sends its data through. */
import type { LogRecordExporter } from "@opentelemetry/sdk-logs";
import type { PushMetricExporter } from "@opentelemetry/sdk-metrics";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";

export interface Exporters {
  readonly traces: readonly SpanExporter[];
  readonly metrics: readonly PushMetricExporter[];
  readonly logs: readonly LogRecordExporter[];
}
