/** `npm run chaos`: see chaos-arguments.ts for what it takes. Ctrl-C ends it early, with the figures so far. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { argumentsToRun } from "../../local/command-line/tool-arguments.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { placePackages, type Packages } from "../support/made-packages.ts";
import { startChaosFleet } from "./chaos-fleet.ts";
import type { FleetKind } from "./chaos-fleet.ts";
import { runKills } from "./kills/run-kills.ts";
import { chaosHelp, parseChaosArguments } from "./chaos-arguments.ts";
import type { ChaosPlan } from "./chaos-arguments.ts";
import { isHarmless, newOutcome } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { scenarios } from "./scenarios.ts";
import type { Scenario } from "./scenarios.ts";
import { speakWords, StruckCall } from "./struck-call.ts";
import { percentile } from "../bench/percentiles.ts";

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

/** The outcomes of a run, for people and for programs. */
function outcomeTable(outcomes: ReadonlyMap<string, Outcome>): string {
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

const kinds: readonly FleetKind[] = ["one Redis", "few places", "a cluster"];
/** Strikes fall into so long a time of the story; multiples of the golden ratio are spread evenly over it. */
const spreadMs = 2000;
const goldenRatio = 0.618_034;

const outcomes = new Map<string, Outcome>();
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());

async function runOn(
  kind: FleetKind,
  chosen: readonly Scenario[],
  { rounds, isShort }: ChaosPlan,
  packages: Packages,
): Promise<void> {
  const fleet = await startChaosFleet(kind, packages);
  try {
    const spoken = await speakWords(fleet.cloud.engines.synthesiser);
    const parts = { fleet, spoken, isShort };
    const [first] = chosen;
    if (first === undefined) return;
    const unharmed = { ...parts, scenario: first, strikeAfterMs: 0, storyMs: undefined, outcome: newOutcome() };
    const storyMs = isShort ? undefined : await new StruckCall(unharmed).measureStory();
    for (let round = 0; round < rounds; round++)
      for (const scenario of chosen) {
        if (stopping.signal.aborted) return;
        const outcome = outcomes.get(scenario.name) ?? newOutcome();
        outcomes.set(scenario.name, outcome);
        const strikeAfterMs = ((round * goldenRatio) % 1) * spreadMs;
        await new StruckCall({ ...parts, scenario, strikeAfterMs, storyMs, outcome }).hold();
        const seconds = Math.round(performance.now() / 1000);
        console.log(`${seconds} s: ${scenario.name}, round ${round + 1}: ${isHarmless(outcome) ? "harmless" : "HARM"}`);
      }
  } finally {
    await fleet.close();
  }
}

async function run(plan: ChaosPlan): Promise<void> {
  const chosen = scenarios.filter(({ name }) => plan.only.includes(name));
  const folder = mkdtempSync(path.join(tmpdir(), "voice-chaos-packages-"));
  try {
    const packages = placePackages(folder);
    for (const kind of kinds) {
      const those = chosen.filter(({ on }) => on === kind);
      if (those.length > 0 && !stopping.signal.aborted) await runOn(kind, those, plan, packages);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    console.log(`\n${outcomeTable(outcomes)}`);
    for (const { remarks } of outcomes.values()) for (const remark of remarks) console.log(`  ${remark}`);
    if (plan.json !== undefined) {
      mkdirSync(path.dirname(plan.json), { recursive: true });
      writeFileSync(plan.json, `${JSON.stringify(Object.fromEntries(outcomes), undefined, 2)}\n`);
    }
  }
  if ([...outcomes.values()].some((outcome) => !isHarmless(outcome))) process.exitCode = 1;
}

const tool = { name: "npm run chaos", help: chaosHelp };
const parsed = argumentsToRun(tool, parseChaosArguments(process.argv.slice(2)));
if (!isRedisAvailable()) process.exitCode = 1;
else if (parsed.kind === "run") await run(parsed.plan);
else if (!isHarmless(await runKills(parsed.plan, stopping.signal))) process.exitCode = 1;
