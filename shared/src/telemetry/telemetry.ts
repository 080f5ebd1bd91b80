/**
 * Traces and metrics as the service sees them. Nothing of it stands in the way of a frame: spans are begun and ended per
 * request, call, turn and part of a turn, and metrics are recorded per event. Attributes hold ids, names of agents and
 * tools, codes and figures; what people say and who they are never.
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
  /** Wall clock; now where absent. */
  readonly startMs?: number | undefined;
  readonly attributes?: Attributes;
}

export interface Span {
  /** For those who go on with the trace. While nothing is traced, the parent's own. */
  readonly traceparent: string | undefined;
  add(attributes: Attributes): void;
  event(name: string, atMs: number): void;
  /** `errorType`: one of a closed list, as error codes are. */
  fail(errorType: string): void;
  /** Wall clock; now where absent. A span that never ends is never exported. */
  end(endMs?: number): void;
}

export interface Observation {
  readonly value: number;
  readonly attributes?: Attributes;
}

export interface Telemetry {
  /** False: whoever would have to keep something for a span need not. */
  readonly isOn: boolean;
  span(start: SpanStart): Span;
  count(name: MetricOf<"counter">, attributes?: Attributes, value?: number): void;
  record(name: MetricOf<"histogram">, value: number, attributes?: Attributes): void;
  /** Asked whenever metrics are read. */
  observe(name: MetricOf<"gauge">, read: () => readonly Observation[]): void;
}

/** What runs beside it while a process lives. */
export interface RunningTelemetry extends Telemetry {
  /** Takes the log's lines as they are written; absent where logs are not exported. */
  readonly log: { write(line: string): void } | undefined;
  /** All metrics in the text form of Prometheus; absent where nobody asked for them. */
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
