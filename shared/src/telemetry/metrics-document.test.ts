/** The page of the metrics is written from their definitions: `vitest run -u metrics-document`. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { metrics, prometheusName } from "./metrics.ts";
import type { MetricDefinition, MetricName } from "./metrics.ts";

const page = fileURLToPath(new URL("../../../docs/metrics.md", import.meta.url));

function line(name: MetricName): string {
  const { kind, unit, about, by }: MetricDefinition = metrics[name];
  const attributes = by.length === 0 ? "" : `; by ${by.map((one) => `\`${one}\``).join(", ")}`;
  return `- \`${name}\` (${kind}, ${unit}; \`${prometheusName(name)}\`${attributes}). ${about}`;
}

it("describes every metric on its page", async () => {
  const names = Object.keys(metrics).filter((name): name is MetricName => name in metrics);
  await expect(`# Metrics

What streaming hosts and the functions app measure, with the name in Prometheus. \`voice.turn.*\` in ms are counted from the moment the
caller stopped speaking. [operations.md](operations.md) says how they are exported and what to do about them.

${names.map(line).join("\n")}
`).toMatchFileSnapshot(page);
});
