/**
 * `npm run soak -- --minutes 30 --sessions 50`: conversations for as long as one likes, with interruptions, handoffs and lines
 * that break and come back, on a Redis where there is one. It fails when something grows that should stay as it is, or when a
 * caller is not answered. `--short` takes 15 seconds and looks only at the callers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { heapFlags } from "../../local/package/heap-flags.ts";
import { pinTo, startLoadProcess } from "../bench/load/load-process.ts";
import { mediaWire } from "../bench/load/wire.ts";
import { percentile } from "../bench/percentiles.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { trendOf } from "./trend.ts";
import { Visitor } from "./visitor.ts";

const { values: asked } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    sessions: { type: "string", default: "50" },
    short: { type: "boolean", default: false },
  },
});
const lastsMs = asked.short ? 15_000 : Number(asked.minutes) * 60_000;
const count = asked.short ? 8 : Number(asked.sessions);
const samples = asked.short ? 3 : 90;
/**
 * Code is compiled, the store reaches what it holds of conversations that are over, and a host fills what it remembers of the
 * last 2,000 for the time in which the store is away: 50 visitors need 13 minutes for so many.
 */
const warmUpShare = 1 / 2;

interface Sample {
  readonly atMinutes: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** How much of its median a figure may grow in an hour, and by how much at least before anybody minds. */
const limits: Readonly<Record<string, { readonly share: number; readonly least: number; readonly unit: string }>> = {
  heap: { share: 0.05, least: 2, unit: "MB" },
  resident: { share: 0.05, least: 8, unit: "MB" },
  descriptors: { share: 0.02, least: 5, unit: "" },
  timers: { share: 0.02, least: 5, unit: "" },
  keys: { share: 0.05, least: 20, unit: "" },
  "first audio p50": { share: 0.2, least: 0.2, unit: "ms" },
  "stop p50": { share: 0.2, least: 0.2, unit: "ms" },
};

await using parts = new AsyncDisposableStack();
const redis = isRedisAvailable() ? await startRedisServer({ args: ["--appendfsync", "everysec"] }) : undefined;
parts.defer(() => redis?.stop());
const server = await startLoadProcess("../../soak/soak-server.ts", {
  args: [`${redis?.port ?? 0}`],
  flags: heapFlags,
  core: 0,
});
parts.defer(() => server.stop());
pinTo("others", process.pid);
const admin = redis?.admin();
const wire = mediaWire(16_000, true);
const visitors = Array.from(
  { length: count },
  (_, at) => new Visitor(server.port, wire, `soak-visitor-${at}`, at / count),
);
for (const visitor of visitors) await visitor.begin();
const ticker = setInterval(() => {
  const nowMs = performance.now();
  for (const visitor of visitors) visitor.tick(nowMs);
}, 1);
parts.defer(() => {
  clearInterval(ticker);
  for (const visitor of visitors) visitor.leave();
});

const commandsBefore = await commandsSoFar();
const measured: Sample[] = [];
const total = { turns: 0, lost: 0, unclear: 0 };
const startedMs = performance.now();
for (let sample = 1; sample <= samples; sample++) {
  await sleep(Math.max(0, startedMs + (sample * lastsMs) / samples - performance.now()));
  const heard = visitors.map((visitor) => visitor.take());
  total.turns += heard.reduce((sum, { turns }) => sum + turns, 0);
  total.lost += heard.reduce((sum, { lostTurns, lostStops }) => sum + lostTurns + lostStops, 0);
  total.unclear += heard.reduce((sum, { unclear }) => sum + unclear, 0);
  const { heapBytes, rssBytes, descriptors, timers } = await server.read("settle");
  measured.push({
    atMinutes: (performance.now() - startedMs) / 60_000,
    figures: {
      heap: heapBytes / 1024 ** 2,
      resident: rssBytes / 1024 ** 2,
      descriptors,
      timers,
      keys: (await admin?.dbsize()) ?? 0,
      "first audio p50":
        percentile(
          heard.flatMap(({ firstAudioMs }) => firstAudioMs),
          0.5,
        ) || 0,
      "stop p50":
        percentile(
          heard.flatMap(({ stopMs }) => stopMs),
          0.5,
        ) || 0,
    },
  });
}

const commands = (await commandsSoFar()) - commandsBefore;
const settled = measured.slice(Math.floor(samples * warmUpShare));
let grows = false;
for (const [name, { share, least, unit }] of Object.entries(limits)) {
  const points = settled.map(({ atMinutes, figures }) => ({ at: atMinutes / 60, value: figures[name] ?? 0 }));
  const { median, slope, atLeast } = trendOf(points);
  // In the time that was looked at, not in an hour that was not: a short soak cannot say what a long one does.
  const lookedAtHours = (lastsMs * (1 - warmUpShare)) / 3_600_000;
  const isGrowing = !asked.short && atLeast * lookedAtHours > Math.max(least, share * median * lookedAtHours);
  grows ||= isGrowing;
  const change = asked.short
    ? ""
    : `${slope >= 0 ? "+" : ""}${slope.toFixed(2)} ${unit} an hour (at least ${atLeast.toFixed(2)})`;
  console.log(
    `${name.padEnd(16)} ${median.toFixed(2).padStart(9)} ${unit.padEnd(3)} ${change}${isGrowing ? "  GROWS" : ""}`,
  );
}
const sum = (figure: (visitor: Visitor) => number): number =>
  visitors.reduce((all, visitor) => all + figure(visitor), 0);
const failed = sum(({ failedConnections }) => failedConnections);
console.log(
  `${sum(({ conversations }) => conversations)} conversations, ${total.turns} turns, ${sum(({ reconnects }) => reconnects)} lines that came back; ` +
    `${total.lost} turns or interruptions lost` +
    (total.unclear > 0 ? ` (and ${total.unclear} while the callers' own process stood still)` : "") +
    `, ${failed} connections lost${redis === undefined ? "; no Redis here" : ""}`,
);
if (redis !== undefined)
  console.log(
    `Redis: ${(commands / total.turns).toFixed(1)} commands a turn, heartbeats and openings among them, ` +
      `${((commands / lastsMs) * 1000).toFixed(1)} a second`,
  );
if (grows || total.lost > 0 || failed > 0 || total.turns === 0) process.exitCode = 1;

/** Commands that the server has carried out for all clients. */
async function commandsSoFar(): Promise<number> {
  const stats = (await admin?.info("stats")) ?? "";
  return Number(/total_commands_processed:(\d+)/.exec(stats)?.[1] ?? 0);
}
