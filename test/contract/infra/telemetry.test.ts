/** Dashboards and alerts ask for what the code measures, and operators find each alert explained. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { metricNames, metrics, prometheusName } from "@voice/shared/telemetry/metrics";
import type { MetricDefinition, MetricName } from "@voice/shared/telemetry/metrics";
import { turnMarks } from "@voice/streaming-host/session/output/turn-timeline";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { infra, templateAt } from "./templates.ts";

const read = (name: string): string => readFileSync(path.join(infra, name), "utf8");

const names = [...metricNames("counter"), ...metricNames("histogram"), ...metricNames("gauge")];
const definitionOf = (name: MetricName): MetricDefinition => metrics[name];
const labelsOf = (name: MetricName): string[] => definitionOf(name).by.map((label) => label.replaceAll(".", "_"));

const grafana = z
  .object({
    panels: z.array(
      z.object({
        title: z.string(),
        fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
        targets: z.array(z.object({ expr: z.string() })),
      }),
    ),
  })
  .parse(JSON.parse(read("dashboards/grafana.json")));
const prometheusRule = z.object({ alert: z.string(), expr: z.string() });
const prometheusRules = z
  .object({ groups: z.array(z.object({ rules: z.array(prometheusRule) })) })
  .parse(parse(read("dashboards/prometheus-alerts.yaml")))
  .groups.flatMap(({ rules }) => rules);
const promQueries = [
  ...grafana.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...prometheusRules.map(({ expr }) => expr),
];

const workbook = z
  .object({ items: z.array(z.object({ content: z.object({ query: z.string().optional() }) })) })
  .parse(JSON.parse(read("dashboards/workbook.json")));
const alerts = templateAt("modules/alerts.bicep");
const kustoQueries = [
  ...workbook.items.flatMap(({ content }) => content.query ?? []),
  ...[...alerts.text.matchAll(/^ {4}query: '(.*)'$/gm)].map(([, query]) => query ?? ""),
];
const alertNames = [...alerts.text.matchAll(/^ {4}name: '([\w-]+)'$/gm)].map(([, name]) => name ?? "");

/** Those that ask Azure's own measurements, which no program of ours has to be up for. */
const resourceAlertNames = [
  ...templateAt("incoming-calls.bicep").text.matchAll(/\{ name: '([\w-]+)', metric/g),
  ...templateAt("modules/resource-alerts.bicep").text.matchAll(/name: 'alert-([\w-]+)-\$/g),
].map(([, name]) => name ?? "");

/** The metrics that a query of Prometheus asks for, with what follows their names. */
function seriesIn(query: string): string[] {
  return [...query.matchAll(/\b(?:voice|gen_ai|http_server)_\w+(?=[[{)]|\s|$)/g)]
    .map(([name]) => name)
    .filter((name) => !query.includes(`(${name})`) || /_(?:total|sessions|capacity|warm|target|draining)$/.test(name));
}

describe("what Prometheus is asked", () => {
  const byName = new Map(names.map((name) => [prometheusName(name), name]));
  const metricOf = (series: string) => byName.get(series) ?? byName.get(series.replace(/_(?:bucket|sum|count)$/, ""));

  it.each(promQueries)("is measured: %s", (query) => {
    const series = seriesIn(query).filter((name) => !/^(?:gen_ai_token_type|gen_ai_request_model)$/.test(name));
    expect(series.length).toBeGreaterThan(0);
    expect(series.filter((name) => metricOf(name) === undefined)).toEqual([]);
    const known = new Set(["le", "instance", ...series.flatMap((name) => labelsOf(metricOf(name) ?? "voice.turns"))]);
    const labels = [
      ...[...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(",").map((one) => one.trim())),
      ...[...query.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
    ];
    expect(labels.filter((label) => !known.has(label))).toEqual([]);
  });
});

describe("what Grafana draws", () => {
  const times = names.filter(
    (name) => definitionOf(name).kind === "histogram" && /^m?s$/.test(definitionOf(name).unit),
  );
  const timed = grafana.panels.flatMap(({ title, fieldConfig, targets }) =>
    targets.flatMap(({ expr }) => {
      const asked = times.find((name) => expr.includes(`${prometheusName(name)}_bucket`));
      return asked === undefined
        ? []
        : [{ title, drawn: fieldConfig.defaults.unit, measured: definitionOf(asked).unit }];
    }),
  );

  it("has the unit in which it is measured", () => {
    expect(timed.length).toBeGreaterThan(5);
    for (const { title, drawn, measured } of timed) expect({ title, unit: drawn }).toEqual({ title, unit: measured });
  });
});

describe("what Application Insights is asked", () => {
  const attributes = new Set(names.flatMap((name) => definitionOf(name).by));
  const onSpans = new Set([
    "session.id",
    "voice.call.id",
    "voice.mode",
    "voice.turn.kind",
    "voice.turn.outcome",
    ...turnMarks.map((mark) => `voice.turn.${mark}`),
  ]);

  it.each(kustoQueries)("is measured: %s", (query) => {
    const asked = [...query.matchAll(/"((?:voice|gen_ai|http)\.[\w.]+)"/g)].map(([, name = ""]) => name);
    const known = new Set<string>([...names, ...onSpans, ...attributes]);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
    const isAboutTurns = query.startsWith('dependencies | where name == "turn"');
    // The Functions host's own record of requests is there when our code is not; audit records are lines of the log.
    const isOfTheHost = query.startsWith("requests | where resultCode") || query.startsWith("traces | extend record");
    expect(isAboutTurns || isOfTheHost || query.startsWith("customMetrics | where name")).toBe(true);
    const plain = [...query.matchAll(/customDimensions\.(\w+)/g)].map(([, name = ""]) => name);
    expect(plain.filter((name) => !attributes.has(name))).toEqual([]);
  });

  it("has the names of spans and attributes as the code writes them", () => {
    const source = path.join(infra, "../streaming-host/src/telemetry");
    const code = ["reply-telemetry.ts", "session-telemetry.ts"].map((name) =>
      readFileSync(path.join(source, name), "utf8"),
    );
    for (const name of [
      'name: "turn"',
      "session.id",
      "voice.call.id",
      "voice.mode",
      "voice.turn.kind",
      "voice.turn.outcome",
    ])
      expect(code.join("\n")).toContain(name);
  });
});

describe("the alerts", () => {
  it("are the same for Application Insights and for Prometheus", () => {
    expect(alertNames).toHaveLength(18);
    expect(prometheusRules.map(({ alert }) => alert)).toEqual(alertNames);
  });

  it("are each explained to operators", () => {
    const guide = readFileSync(path.join(infra, "../docs/operations.md"), "utf8");
    expect(resourceAlertNames).toEqual(["calls-lost", "calls-late", "unreachable", "redis-memory"]);
    expect([...alertNames, ...resourceAlertNames].filter((name) => !guide.includes(`| \`${name}\``))).toEqual([]);
  });

  it("count what nobody wants to see, and no metric that operators live by is left out of the dashboards", () => {
    const shown = [...promQueries, ...kustoQueries].join("\n");
    const wanted: readonly MetricName[] = [
      "voice.turn.first_audio",
      "voice.turns",
      "voice.dead_air",
      "voice.barge_ins",
      "voice.false_interruptions",
      "voice.handoffs",
      "voice.tool.calls",
      "voice.takeovers",
      "voice.recoveries",
      "voice.host.sessions",
      "voice.host.capacity",
      "voice.host.event_loop_delay",
      "voice.upstream.errors",
      "voice.speech_pool.warm",
      "gen_ai.client.token.usage",
    ];
    for (const name of wanted) expect(shown).toContain(prometheusName(name));
  });
});

it("[RELEASE-5] what to ask for the log of one call is in the document of the deployment, and the gate parses every query", () => {
  const root = path.join(infra, "..");
  const [, query = ""] =
    /^```kusto\n([^]*?)^```$/m.exec(readFileSync(path.join(root, "docs/deployment.md"), "utf8")) ?? [];
  expect(query).toContain("operation_Id in (calls)");
  expect(readFileSync(path.join(root, ".ci/run"), "utf8")).toContain(".ci/queries.mjs");
  expect(readFileSync(path.join(root, ".ci/queries.mjs"), "utf8")).toContain("readdirSync(docs)");
});
