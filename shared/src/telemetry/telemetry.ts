/**
 * The port for traces and metrics. It does no work per frame: there are spans per request, call, turn and part of a
 * turn, and metrics per event. Attributes hold ids, names of agents and tools, codes and numbers, but never what people
 * say or who they are.
 */
import type { MetricName, MetricOf } from "./metrics.ts";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** OpenTelemetry's: `server` answers a request, `consumer` takes an event, `client` waits for another service. */
export type SpanKind = "internal" | "server" | "consumer" | "client";

export interface SpanStart {
  readonly name: string;
  readonly kind?: SpanKind;
  /** The span that this one is part of, in this process or another; a trace of its own without it. */
  readonly parent?: string | undefined;
  /** Wall-clock time of the start; now if absent. */
  readonly startMs?: number | undefined;
  readonly attributes?: Attributes;
}

export interface Span {
  /** The context for child spans. If tracing is off, the parent's own. */
  readonly traceparent: string | undefined;
  add(attributes: Attributes): void;
  event(name: string, atMs: number): void;
  /** `errorType`: one of a closed list, as error codes are. */
  fail(errorType: string): void;
  /** Wall-clock time; now if absent. A span that never ends is never exported. */
  end(endMs?: number): void;
}

export interface Observation {
  readonly value: number;
  readonly attributes?: Attributes;
}

export interface Telemetry {
  /** If false, callers need not collect data for spans. */
  readonly isOn: boolean;
  span(start: SpanStart): Span;
  count(name: MetricOf<"counter">, attributes?: Attributes, value?: number): void;
  record(name: MetricOf<"histogram">, value: number, attributes?: Attributes): void;
  /** Called whenever metrics are read. */
  observe(name: MetricOf<"gauge">, read: () => readonly Observation[]): void;
}

/** The running telemetry of a process. */
export interface RunningTelemetry extends Telemetry {
  /** Takes the log's lines as they are written; absent where logs are not exported. */
  readonly log: { write(line: string): void } | undefined;
  /** All metrics in Prometheus's text format; absent if not configured. */
  readonly prometheus: (() => Promise<string>) | undefined;
  /** Exports what is left, within a bound. Idempotent; never rejects. */
  close(): Promise<void>;
}

export const noTelemetry: RunningTelemetry = {
  isOn: false,
  span: ({ parent }) => ({
    traceparent: parent,
    add: () => undefined,
    event: () => undefined,
    fail: () => undefined,
    end: () => undefined,
  }),
  count: () => undefined,
  record: () => undefined,
  observe: () => undefined,
  log: undefined,
  prometheus: undefined,
  close: () => Promise.resolve(),
};

export type { MetricName };
