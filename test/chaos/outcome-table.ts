/** The outcomes of a run, for people and for programs. */
import { percentile } from "../bench/percentiles.ts";
import { isHarmless, type Outcome } from "./outcome.ts";

const columns = [
  "scenario",
  "rounds",
  "calls lost",
  "turns",
  "lost",
  "apologies",
  "effects",
  "twice",
  "silence p50 / max s",
  "heard twice s",
  "next call s",
] as const;

export function outcomeTable(outcomes: ReadonlyMap<string, Outcome>): string {
  const rows = [...outcomes].map(([name, outcome]) => [
    isHarmless(outcome) ? name : `${name} !`,
    `${outcome.recoveriesMs.length}`,
    `${outcome.callsLost}`,
    `${outcome.turns}`,
    `${outcome.turnsLost + outcome.effectsLost}`,
    `${outcome.apologies}`,
    `${outcome.effects}`,
    `${outcome.turnsTwice + outcome.effectsTwice}`,
    `${seconds(percentile(outcome.gapsMs, 0.5))} / ${seconds(Math.max(0, ...outcome.gapsMs))}`,
    seconds(Math.max(0, ...outcome.repeatedMs)),
    seconds(Math.max(0, ...outcome.recoveriesMs)),
  ]);
  const table = [columns, columns.map((column) => "-".repeat(column.length)), ...rows];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`).join("\n");
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? (ms / 1000).toFixed(1) : "never";
}
