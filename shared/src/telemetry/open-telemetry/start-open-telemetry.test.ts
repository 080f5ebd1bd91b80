import { describe, expect, it } from "vitest";
import { loadSettings } from "../../config/load.ts";
import type { Environment } from "../../config/load.ts";
import { loadTelemetry } from "../load-telemetry.ts";
import { metricNames, metrics, prometheusName } from "../metrics.ts";
import type { RunningTelemetry } from "../telemetry.ts";

const identity = {
  getToken: () => Promise.reject(new Error("nobody asks")),
  tokenFor: () => () => Promise.reject(new Error("nobody asks")),
};

function load(environment: Environment): Promise<RunningTelemetry> {
  return loadTelemetry(
    { settings: loadSettings(environment), name: "test", version: "1", exportsLogs: true, identity },
    () => import("./start-open-telemetry.ts"),
  );
}

describe("telemetry", () => {
  it("loads nothing where nothing is exported", async () => {
    const settings = loadSettings({});
    const loaded: string[] = [];
    const telemetry = await loadTelemetry({ settings, name: "test", version: "1", exportsLogs: true, identity }, () => {
      loaded.push("loaded");
      return import("./start-open-telemetry.ts");
    });
    expect(loaded).toEqual([]);
    expect(telemetry.isOn).toBe(false);
    const parent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    expect(telemetry.span({ name: "turn", parent }).traceparent).toBe(parent);
  });

  it("serves every metric to Prometheus under the name that dashboards use", async () => {
    const telemetry = await load({ METRICS_PORT: "0" });
    for (const name of metricNames("counter")) telemetry.count(name, { mode: "MEDIA" }, 2);
    for (const name of metricNames("histogram")) telemetry.record(name, 1, { mode: "MEDIA" });
    for (const name of metricNames("gauge")) telemetry.observe(name, () => [{ value: 3 }]);
    const text = (await telemetry.prometheus?.()) ?? "";
    const served = new Set([...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name]) => name));
    const names = [...metricNames("counter"), ...metricNames("histogram"), ...metricNames("gauge")];
    expect(names).toHaveLength(Object.keys(metrics).length);
    expect(names.map(prometheusName).filter((name) => !served.has(name))).toEqual([]);
    expect(text).toMatch(/^voice_turns_total\{mode="MEDIA".*\} 2$/m);
    expect(text).toMatch(/^voice_turn_first_audio_bucket\{mode="MEDIA".*le="800".*\} 1$/m);
    await telemetry.close();
  });

  it("closes within its time while the collector is away", async () => {
    const telemetry = await load({ TELEMETRY: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    telemetry.span({ name: "turn" }).end();
    telemetry.log?.write(JSON.stringify({ level: 30, time: 1, msg: "a line" }));
    await expect(telemetry.close()).resolves.toBeUndefined();
  });

  it("exports none of the traces where the share is nothing, and says so to those who go on with one", async () => {
    const telemetry = await load({
      TELEMETRY: "otlp",
      TELEMETRY_SAMPLING: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    });
    const { traceparent } = telemetry.span({ name: "turn", parent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` });
    expect(traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-00$/);
    await telemetry.close();
  });
});
