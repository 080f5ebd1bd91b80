/** Medians of the stages of a turn (turn-stages.ts), as a table in Markdown. */
import { percentile } from "../percentiles.ts";
import type { Measurement } from "./measure.ts";
import { stages } from "./turn-stages.ts";

export interface MeasuredSubject {
  readonly subject: string;
  readonly sessions: number;
  readonly runs: readonly Pick<Measurement, "stagesUs">[];
}

export function toStageTable(measured: readonly MeasuredSubject[]): string {
  const columns = measured
    .map(({ subject, sessions, runs }) => ({ subject, sessions, turns: runs.flatMap(({ stagesUs }) => stagesUs) }))
    .filter(({ turns }) => turns.length > 0);
  const rows = stages.map((stage, at) => [stage, ...columns.map(({ turns }) => median(turns, (us) => us[at] ?? 0))]);
  const all = ["in all", ...columns.map(({ turns }) => median(turns, (us) => us.reduce((sum, one) => sum + one, 0)))];
  const heads = [
    "µs",
    ...columns.map(({ subject, sessions, turns }) => `${subject}, ${sessions} sessions (${turns.length} turns)`),
  ];
  return [heads, heads.map(() => "---"), ...rows, all].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function median(turns: readonly (readonly number[])[], figure: (us: readonly number[]) => number): string {
  return percentile(turns.map(figure), 0.5).toFixed(0);
}
