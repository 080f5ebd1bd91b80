/** The instruments, from whatever OpenTelemetry SDK the process was started with. */
import { metrics, ProxyTracerProvider, trace } from "@opentelemetry/api";
import type { CreateCounter } from "./recording-telemetry.ts";
import type { Instruments } from "./instruments.ts";

const scope = "voice-agent-service";

export function openTelemetryInstruments(): Instruments {
  const meter = metrics.getMeter(scope);
  const tracer = trace.getTracer(scope);
  return {
    histogram: (name, options) => meter.createHistogram(name, options),
    span({ name, startMs, endMs, attributes, events }) {
      const span = tracer.startSpan(name, { startTime: new Date(startMs), attributes, root: true });
      for (const event of events) span.addEvent(event.name, new Date(event.atMs));
      span.end(new Date(endMs));
    },
  };
}

export function openTelemetryCounters(): CreateCounter {
  const meter = metrics.getMeter(scope);
  return (name, options) => meter.createCounter(name, options);
}

/** Whether the process was started with an SDK that keeps traces; without one, spans are made and dropped. */
export function openTelemetryIsRecording(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(scope) !== undefined;
}
