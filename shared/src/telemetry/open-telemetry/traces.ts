/** Spans. Parents are given as W3C text, also within a process, so there is no context to carry through asynchronous code. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace-base";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { formatTraceparent, parseTraceparent } from "../traceparent.ts";
import type { SpanKind as Kind, Telemetry } from "../telemetry.ts";

const kinds: Readonly<Record<Kind, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
};

export const scopeName = "voice-agent-service";

export function createTraces(
  resource: Resource,
  exporters: readonly SpanExporter[],
  /** The share of all traces, from 0 to 1. */
  share: number,
): {
  readonly span: Telemetry["span"];
  close(): Promise<void>;
} {
  const provider = new BasicTracerProvider({
    resource,
    // Decided by the trace's id alone, so that all processes choose the same traces, and a foreign header cannot force one to be exported.
    sampler: new TraceIdRatioBasedSampler(share),
    spanProcessors: exporters.map((exporter) => new BatchSpanProcessor(exporter)),
  });
  const tracer = provider.getTracer(scopeName);
  return {
    span({ name, kind = "internal", parent, startMs, attributes = {} }) {
      const options = { kind: kinds[kind], attributes: { ...attributes }, startTime: new Date(startMs ?? Date.now()) };
      const span = tracer.startSpan(name, options, contextOf(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: formatTraceparent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
        add: (more) => void span.setAttributes({ ...more }),
        event: (event, atMs) => void span.addEvent(event, new Date(atMs)),
        fail(errorType) {
          span.setAttribute("error.type", errorType);
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
        end: (endMs) => span.end(new Date(endMs ?? Date.now())),
      };
    },
    close: () => provider.shutdown(),
  };
}

function contextOf(traceparent: string | undefined): Context {
  const parent = parseTraceparent(traceparent);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
