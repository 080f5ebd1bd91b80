/** The list of metrics is written from their definitions: `vitest run -u metrics-document`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { metrics, prometheusName } from "./metrics.ts";
import type { MetricDefinition, MetricName } from "./metrics.ts";

const page = fileURLToPath(new URL("../../../docs/operations.md", import.meta.url));
const heading = "\n## Metrics\n";

function line(name: MetricName): string {
  const { kind, unit, about, by }: MetricDefinition = metrics[name];
  const attributes = by.length === 0 ? "" : `; by ${by.map((one) => `\`${one}\``).join(", ")}`;
  return `- \`${name}\` (${kind}, ${unit}; \`${prometheusName(name)}\`${attributes}). ${about}`;
}

it("describes every metric in the last section of the page", async () => {
  const names = Object.keys(metrics).filter((name): name is MetricName => name in metrics);
  const written = readFileSync(page, "utf8");
  const begin = written.indexOf(heading);
  expect(begin).toBeGreaterThan(0);
  await expect(`${written.slice(0, begin)}${heading}
What streaming hosts and the functions app measure, with the name in Prometheus. \`voice.turn.*\` in ms are counted from the moment the
caller stopped speaking.

${names.map(line).join("\n")}
`).toMatchFileSnapshot(page);
});
