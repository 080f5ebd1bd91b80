/** The committed report: the table within docs/benchmarks.md, figures and plots in docs/benchmarks. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Machine } from "./machine.ts";
import type { OtherBench } from "./other-benches.ts";
import { toPage } from "./plots.ts";
import type { Row } from "./summarise.ts";
import { toTable } from "./table.ts";

export interface RunDescription {
  readonly machine: Machine;
  readonly flags: readonly string[];
  readonly plan: { readonly runs: number; readonly seconds: number; readonly warmUp: number };
  readonly measuredAt: string;
  readonly others: readonly OtherBench[];
}

const docs = path.join(import.meta.dirname, "../../../docs");
const begin = "<!-- measured -->";
const end = "<!-- until here -->";

export function writeReport(rows: readonly Row[], run: RunDescription): void {
  const file = path.join(docs, "benchmarks.md");
  const text = readFileSync(file, "utf8");
  const [from, until] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || until < from) throw new Error(`${file} has no place for what was measured`);
  const { machine, plan, flags, measuredAt, others } = run;
  const described = [
    `${machine.processor}, ${machine.cores} cores (${machine.pinned ? "one for the server, the others for everybody else" : "shared"}),`,
    `${machine.memoryGb} GB, ${machine.system}, Node ${machine.node} with ${flags.join(" ")}.`,
    `${measuredAt.slice(0, 10)}, ${plan.runs} interleaved runs of ${plan.seconds} s after ${plan.warmUp} s of warm-up.`,
  ];
  const beside = others.map(({ title, text: printed }) => `${title}:\n\n\`\`\`text\n${printed}\n\`\`\`\n\n`);
  const measured = `${begin}\n\n${described.join("\n")}\n\n${toTable(rows)}\n\n${beside.join("")}`;
  writeFileSync(file, text.slice(0, from) + measured + text.slice(until));
  const folder = path.join(docs, "benchmarks");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "results.json"), `${JSON.stringify({ ...run, rows }, undefined, 2)}\n`);
  writeFileSync(path.join(folder, "plots.html"), toPage(rows, machine));
}
