/** Exports the log's lines as log records, after redaction. */
import { ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";
import { SeverityNumber } from "@opentelemetry/api-logs";
import type { AnyValueMap } from "@opentelemetry/api-logs";
import type { Resource } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import type { LogRecordExporter } from "@opentelemetry/sdk-logs";
import { z } from "zod";
import { scopeName } from "./traces.ts";

/** The levels of pino. */
const severities: Readonly<Record<number, readonly [SeverityNumber, string]>> = {
  20: [SeverityNumber.DEBUG, "DEBUG"],
  30: [SeverityNumber.INFO, "INFO"],
  40: [SeverityNumber.WARN, "WARN"],
  50: [SeverityNumber.ERROR, "ERROR"],
};

const logLine = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(""),
  traceId: z.string().optional(),
  spanId: z.string().optional(),
});

const logValue: z.ZodType<AnyValueMap> = z.record(z.string(), z.json());

export function createLogSink(
  resource: Resource,
  exporters: readonly LogRecordExporter[],
): { write(line: string): void; close(): Promise<void> } {
  const processors = exporters.map((exporter) => new BatchLogRecordProcessor(exporter));
  const provider = new LoggerProvider({ resource, processors });
  const logger = provider.getLogger(scopeName);
  return {
    write(line) {
      const { level, time, msg, traceId, spanId, name: _name, ...fields } = logLine.parse(JSON.parse(line));
      const [severityNumber, severityText] = severities[level] ?? [SeverityNumber.UNSPECIFIED, ""];
      logger.emit({
        timestamp: time,
        severityNumber,
        severityText,
        body: msg,
        attributes: logValue.parse(fields),
        ...(traceId === undefined || spanId === undefined
          ? {}
          : {
              context: trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED }),
            }),
      });
    },
    close: () => provider.shutdown(),
  };
}
