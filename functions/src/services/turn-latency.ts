/** The latency of a conversation's turns, by stage. */
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
  const sorted = values.toSorted((one, other) => one - other);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return {
    avg: roundTenth(total / sorted.length),
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    p50: quantile(sorted, 0.5),
    p95: sorted.length < turnsForP95 ? null : quantile(sorted, 0.95),
    p99: sorted.length < turnsForP99 ? null : quantile(sorted, 0.99),
    count: sorted.length,
  };
}

/** Nearest rank. */
function quantile(sorted: readonly number[], share: number): number {
  const index = Math.max(0, Math.ceil(share * sorted.length) - 1);
  return roundTenth(sorted[index] ?? 0);
}

function roundTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
