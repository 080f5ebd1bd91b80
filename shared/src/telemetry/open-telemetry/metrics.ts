/** The metrics of metrics.ts as instruments, each made when it is first recorded: a process exports what it has. */
import type { Counter, Histogram } from "@opentelemetry/api";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import type { Resource } from "@opentelemetry/resources";
import { MeterProvider, MetricReader, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { PushMetricExporter } from "@opentelemetry/sdk-metrics";
import { metrics as definitions } from "../metrics.ts";
import type { MetricDefinition, MetricName } from "../metrics.ts";
import type { RunningTelemetry, Telemetry } from "../telemetry.ts";
import { scopeName } from "./traces.ts";

/** Reads on demand, and holds no resources. */
class ScrapedReader extends MetricReader {
  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

export function createMetrics(
  resource: Resource,
  exporters: readonly PushMetricExporter[],
  isScraped: boolean,
): Pick<Telemetry, "count" | "record" | "observe"> & {
  readonly prometheus: RunningTelemetry["prometheus"];
  close(): Promise<void>;
} {
  const scraped = isScraped ? new ScrapedReader() : undefined;
  const pushed = exporters.map((exporter) => new PeriodicExportingMetricReader({ exporter }));
  const provider = new MeterProvider({ resource, readers: [...pushed, ...(scraped === undefined ? [] : [scraped])] });
  const meter = provider.getMeter(scopeName);
  const counters = new Map<MetricName, Counter>();
  const histograms = new Map<MetricName, Histogram>();

  function counterOf(name: MetricName): Counter {
    const known = counters.get(name) ?? meter.createCounter(name, optionsOf(name));
    counters.set(name, known);
    return known;
  }

  function histogramOf(name: MetricName): Histogram {
    const known = histograms.get(name) ?? meter.createHistogram(name, optionsOf(name));
    histograms.set(name, known);
    return known;
  }

  const serializer = new PrometheusSerializer();
  return {
    count: (name, attributes = {}, value = 1) => counterOf(name).add(value, attributes),
    record: (name, value, attributes = {}) => histogramOf(name).record(value, attributes),
    observe: (name, read) =>
      meter.createObservableGauge(name, optionsOf(name)).addCallback((result) => {
        for (const { value, attributes = {} } of read()) result.observe(value, attributes);
      }),
    prometheus: scraped && (async () => serializer.serialize((await scraped.collect()).resourceMetrics)),
    close: () => provider.shutdown(),
  };
}

function optionsOf(name: MetricName) {
  const { unit, about, boundaries }: MetricDefinition = definitions[name];
  const advice = boundaries === undefined ? {} : { advice: { explicitBucketBoundaries: [...boundaries] } };
  return { unit, description: about, ...advice };
}
