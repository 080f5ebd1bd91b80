/**
 * `npm run bench`: what the service itself adds to a conversation, compared with the least that Node can do and with peers, all in one
 * run on one machine (docs/benchmarks.md). Every measurement is a server that has just been started; the servers take turns, so
 * that a busy moment of the machine meets all of them. Where only their answers count (`--short`), they are measured all at once.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { wholeNumber } from "../../local/command-line/option-kinds.ts";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import { heapFlags } from "../../local/package/heap-flags.ts";
import { describeDisturbance } from "./load/disturbance.ts";
import { pinTo } from "./load/load-process.ts";
import { describeMachine } from "./load/machine.ts";
import { measure, type Measurement } from "./load/measure.ts";
import { toPage } from "./load/plots.ts";
import { toProfileTable } from "./load/profile.ts";
import { runOtherBenches } from "./load/other-benches.ts";
import { hasPeers, subjects, type Subject } from "./load/subjects.ts";
import { summarise, type Row } from "./load/summarise.ts";
import { toStageTable } from "./load/stage-table.ts";
import { toTable } from "./load/table.ts";
import { writeReport } from "./load/write-report.ts";

const { values: asked } = readToolArguments({
  name: "npm run bench",
  help: `What the service itself adds to a conversation, compared with the least that Node can do and with peers (docs/benchmarks.md).

  npm run bench                          everything, which takes two hours
  npm run bench -- --short               seconds, all servers at once: whether they work, not how fast they are
  npm run bench -- --sessions 40,200 --runs 3 --seconds 20 --servers floor,cascade

  --sessions N,N       how many conversations at once (1,10,40,100,200,300)
  --servers NAME,NAME  which of ${subjects.map(({ name }) => name).join(", ")}
  --runs N             measurements of each (5)
  --seconds S          for how long (12), after --warm-up S (12)
  --out FOLDER         where the figures go (out/bench)
  --node-flags="…"     in place of those that the product is started with
  --one-core           server and callers on the same core, as on a machine with one
  --stages             where a turn's time goes within the cascade, in microseconds
  --profile            also which functions each server spends its time in, which takes time itself
  --report             write docs/benchmarks.md, with HTTP, cold start and Redis beside it`,
  options: {
    sessions: z.string().default("1,10,40,100,200,300"),
    servers: z.string().optional(),
    runs: wholeNumber(1, 1000).default(5),
    seconds: wholeNumber(1, 3600).default(12),
    "warm-up": wholeNumber(0, 3600).default(12),
    out: z.string().default("out/bench"),
    /** Flags of Node for the servers, in place of those that the product is started with. */
    "node-flags": z.string().optional(),
    /** Samples what runs during the measurements, and prints the functions that take longest by themselves. */
    profile: z.boolean().default(false),
    short: z.boolean().default(false),
    stages: z.boolean().default(false),
    /** They wait for each other then, of which every run warns. */
    "one-core": z.boolean().default(false),
    /** Writes what was measured into docs/benchmarks.md, and its figures and plots beside it. */
    report: z.boolean().default(false),
  },
});
/** Forty sessions hold ten turns a second, and a function is compiled for speed after some hundreds of calls. */
const leastCallers = asked.short ? 0 : 100;
const plan = asked.short
  ? { sessions: [4], runs: 1, seconds: 5, warmUp: 1, settleMs: 300 } // nobody looks at its memory
  : {
      sessions: asked.sessions.split(",").map(Number),
      runs: asked.runs,
      seconds: asked.seconds,
      warmUp: asked["warm-up"],
      settleMs: 1500,
    };
const wanted = asked.servers?.split(",");
const chosen = subjects.filter(({ name }) => wanted?.includes(name) ?? true);
const flags = asked["node-flags"]?.split(" ").filter((flag) => flag !== "") ?? heapFlags;
if (asked.stages) process.env["BENCH_STAGES"] = "1"; // the servers inherit it
/** Servers that are measured all at once share every core. */
const isPinned = !asked.short && pinTo(asked["one-core"] ? 0 : "others", process.pid);
const machine = describeMachine(isPinned);

if (!hasPeers && !asked.short)
  console.error(
    "The peers are not installed, so they are not measured: npm ci --prefix test/bench/peers --ignore-scripts",
  );

const rows: Row[] = [];
const raw: { readonly subject: string; readonly sessions: number; readonly runs: readonly Measurement[] }[] = [];
for (const sessions of plan.sessions) {
  const runs = new Map(
    chosen
      .filter(({ mostSessions = Number.POSITIVE_INFINITY }) => sessions <= mostSessions)
      .map((subject) => [subject, Array<Measurement>()]),
  );
  for (let run = 0; run < plan.runs; run++) {
    const take = async ([subject, measured]: readonly [Subject, Measurement[]]): Promise<void> => {
      process.stderr.write(`${sessions} sessions, run ${run + 1} of ${plan.runs}: ${subject.name}\n`);
      const times = {
        warmUpMs: plan.warmUp * 1000,
        windowMs: plan.seconds * 1000,
        settleMs: plan.settleMs,
        leastCallers,
      };
      const core = asked.short ? undefined : 0;
      const measurement = await measure(subject, { sessions, ...times, core, flags, profiles: asked.profile });
      measured.push(measurement);
      const warning = describeDisturbance(measurement, times.windowMs);
      if (warning !== undefined && !asked.short) process.stderr.write(`${warning}\n`);
    };
    if (asked.short) await Promise.all([...runs].map(take));
    else for (const each of runs) await take(each);
  }
  for (const [{ name, floor }, measured] of runs) {
    rows.push(summarise({ subject: name, floor, sessions }, measured));
    raw.push({ subject: name, sessions, runs: measured });
  }
}
mkdirSync(asked.out, { recursive: true });
const others = asked.report ? runOtherBenches(asked.out) : [];
const table = toTable(rows);
const written = { machine, flags, plan, measuredAt: new Date().toISOString(), rows, others, raw };
writeFileSync(path.join(asked.out, "results.json"), `${JSON.stringify(written)}\n`);
writeFileSync(path.join(asked.out, "report.html"), toPage(rows, machine));
writeFileSync(path.join(asked.out, "table.md"), `${table}\n`);
console.log(
  `${Object.entries(machine)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ")}\n\n${table}\n`,
);
if (asked.stages) console.log(toStageTable(raw));
if (asked.profile)
  for (const { subject, sessions, runs } of raw)
    console.log(`${subject}, ${sessions} sessions:\n${toProfileTable(runs.map(({ profile = [] }) => profile))}\n`);
console.log(`Results and plots are in ${asked.out}.`);
if (asked.report) writeReport(rows, { machine, flags, plan, measuredAt: written.measuredAt, others });
// What has to hold on any machine.
if (rows.some(({ turns, lost }) => lost > 0 || turns === 0)) {
  console.error("Turns, interruptions or callers were lost.");
  if (asked.short) process.exitCode = 1;
}
