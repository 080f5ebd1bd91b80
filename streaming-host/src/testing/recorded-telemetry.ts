/** Telemetry that records what is reported. */
import type { Attributes, Observation, SpanStart, Telemetry } from "@voice/shared/telemetry/telemetry";

export interface RecordedSpan extends SpanStart {
  readonly id: string;
  attributes: Attributes;
  readonly events: { readonly name: string; readonly atMs: number }[];
  errorType?: string;
  endMs?: number | undefined;
}

export class RecordedTelemetry implements Telemetry {
  readonly isOn = true;
  /** The spans that have ended. */
  readonly spans: RecordedSpan[] = [];
  /** The counts by `name {attributes}`. */
  readonly counts: string[] = [];
  readonly values: { readonly name: string; readonly value: number; readonly attributes: Attributes }[] = [];
  readonly gauges = new Map<string, () => readonly Observation[]>();
  #begun = 0;

  readonly span: Telemetry["span"] = (start) => {
    const id = (++this.#begun).toString(16).padStart(16, "0");
    const span: RecordedSpan = { ...start, id, attributes: { ...start.attributes }, events: [] };
    const traceId = start.parent?.split("-")[1] ?? id.padStart(32, "0");
    return {
      traceparent: `00-${traceId}-${id}-01`,
      add: (more) => void (span.attributes = { ...span.attributes, ...more }),
      event: (name, atMs) => void span.events.push({ name, atMs }),
      fail: (errorType) => void (span.errorType = errorType),
      end: (endMs) => {
        span.endMs = endMs;
        this.spans.push(span);
      },
    };
  };

  readonly count: Telemetry["count"] = (name, attributes = {}, value = 1) => {
    const about = Object.values(attributes).join(" ");
    this.counts.push(`${name} ${value} ${about}`.trim());
  };

  readonly record: Telemetry["record"] = (name, value, attributes = {}) =>
    void this.values.push({ name, value, attributes });

  readonly observe: Telemetry["observe"] = (name, read) => void this.gauges.set(name, read);
}
