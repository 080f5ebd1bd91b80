/** The latency of a conversation's turns, by stage. */
import { percentile } from "@voice/shared/platform/percentile";
import type { LatencyFigures } from "@voice/shared/contracts/http/sessions";
import type { TurnMetrics } from "@voice/shared/state/ports/session-store";

/** With fewer turns than this a percentile would describe a single turn. */
const turnsForP95 = 20;
const turnsForP99 = 100;

export function summariseLatency(turns: readonly Pick<TurnMetrics, "marks">[]): Record<string, LatencyFigures> {
  const byStage = new Map<string, number[]>();
  for (const { marks } of turns) {
    for (const [stage, ms] of Object.entries(marks)) byStage.set(stage, [...(byStage.get(stage) ?? []), ms]);
  }
  return Object.fromEntries([...byStage].map(([stage, values]) => [stage, figuresOf(values)]));
}

function figuresOf(values: readonly number[]): LatencyFigures {
  const total = values.reduce((sum, value) => sum + value, 0);
  const at = (share: number): number => roundTenth(percentile(values, share) ?? 0);
  return {
    avg: roundTenth(total / values.length),
    min: at(0),
    max: at(1),
    p50: at(0.5),
    p95: values.length < turnsForP95 ? null : at(0.95),
    p99: values.length < turnsForP99 ? null : at(0.99),
    count: values.length,
  };
}

function roundTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
