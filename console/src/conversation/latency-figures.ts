/** The median and the 95th percentile of a conversation's turns, of all of the time and of each stage. Pure. */
import { percentile } from "@voice/shared/platform/percentile";
import type { TurnLatency } from "./conversation-view.ts";
import { stageNames, toWaterfall } from "./latency-stages.ts";

export interface LatencyFigures {
  readonly key: string;
  readonly label: string;
  readonly p50Ms: number;
  /** The slowest turn if there are fewer than twenty. */
  readonly p95Ms: number;
}

/** Only turns that were heard count: how long another would have taken is not known. */
export function latencyFigures(latencies: readonly TurnLatency[]): {
  readonly turnCount: number;
  readonly figures: readonly LatencyFigures[];
} {
  const heard = latencies.map(({ metrics }) => toWaterfall(metrics)).filter(({ isHeard }) => isHeard);
  const stages = stageNames.map(({ key, label }) => ({
    key,
    label,
    values: heard.map(({ stages: all }) => all.find((stage) => stage.key === key)?.durationMs ?? 0),
  }));
  const total = { key: "total", label: "Answer", values: heard.map(({ totalMs }) => totalMs) };
  return {
    turnCount: heard.length,
    figures: [total, ...stages]
      .filter(({ values }) => values.some((value) => value > 0))
      .map(({ key, label, values }) => ({
        key,
        label,
        p50Ms: percentile(values, 0.5) ?? 0,
        p95Ms: percentile(values, 0.95) ?? 0,
      })),
  };
}
