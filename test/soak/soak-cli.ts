/**
 * `npm run soak -- --minutes 30 --sessions 50`: conversations for as long as one likes, with interruptions, handoffs and lines
 * that break and come back, and phone calls, on a Redis where there is one. Ctrl-C ends it early, with what it has seen. It fails when something grows that should stay as it is, or when a
 * caller is not answered. `--short` takes 15 seconds and looks only at the callers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { wholeNumber } from "../../local/command-line/option-kinds.ts";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import { heapFlags } from "../../local/package/heap-flags.ts";
import { openRawLine } from "../bench/load/raw-line.ts";
import type { OpenLine } from "../bench/load/caller.ts";
import { pinTo, startLoadProcess } from "../bench/load/load-process.ts";
import { mediaWire } from "../bench/load/wire.ts";
import { percentile } from "../bench/percentiles.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { commandsSince, describeCommands, executedCommands, totalOf } from "../support/redis-commands.ts";
import type { CommandCounts } from "../support/redis-commands.ts";
import { startRedisCluster } from "../support/redis-cluster.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { freePort } from "../support/free-port.ts";
import { keepWhatIsLeftBehind } from "./left-behind.ts";
import { startPhoneCalls } from "./phone-calls.ts";
import { trendOf } from "./trend.ts";
import { Visitor } from "./visitor.ts";

const { values: asked } = readToolArguments({
  name: "npm run soak",
  help: `Conversations for as long as you like; fails when something grows that should not, or when a caller is not answered.

  npm run soak -- --minutes 30 --sessions 50

  --minutes N     how long (30)
  --sessions N    how many at once (50)
  --cluster       on a Redis Cluster of three primaries
  --short         15 seconds, and only the callers are looked at`,
  options: {
    minutes: wholeNumber(1, 100_000).default(30),
    sessions: wholeNumber(1, 10_000).default(50),
    cluster: z.boolean().default(false),
    short: z.boolean().default(false),
  },
});
const lastsMs = asked.short ? 15_000 : asked.minutes * 60_000;
const count = asked.short ? 8 : asked.sessions;
/** Of the visitors, so many call by phone. */
const phoneShare = 1 / 5;
const samples = asked.short ? 3 : 90;
/**
 * Code is compiled, the store reaches what it holds of conversations that are over, and a host fills what it remembers of the
 * last 2,000 for the time in which the store is away: 50 visitors need 13 minutes for so many.
 */
const warmUpShare = 1 / 2;

/** If a server has waited for the processor for more than this share of the time, its lost turns prove nothing about it. */
const starvedShare = 0.05;
/** The conversations of a visitor that need not be archived yet: the current one, and the latest, which waits until its line stays away. */
const unsettledPerVisitor = 3;
/** A line is printed after this many samples, so that a long run can be followed. */
const samplesBetweenLines = 5;

/** What a session leaves is gone in minutes here; what is kept for days lasts for at least one. */
const longestOfASessionS = 3600;

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
  "Redis a turn": { share: 0.05, least: 1, unit: "" },
  "first audio p50": { share: 0.2, least: 0.2, unit: "ms" },
  "stop p50": { share: 0.2, least: 0.2, unit: "ms" },
};

await using parts = new AsyncDisposableStack();
const redis = isRedisAvailable() ? await startRedis(["--appendfsync", "everysec"]) : undefined;
parts.defer(() => redis?.stop());
const left = await keepWhatIsLeftBehind();
parts.defer(() => left.close());
// Calls are events between processes, which without a Redis do not hear of each other.
const hostPort = redis === undefined ? 0 : await freePort();
const calls = redis === undefined ? undefined : await startPhoneCalls(hostPort, redis.port, left.settings);
parts.defer(() => calls?.close());
const server = await startLoadProcess("../../soak/soak-server.ts", {
  args: [`${redis?.port ?? 0}`, `${hostPort}`, JSON.stringify(calls?.settings ?? left.settings), left.archiveUrl],
  flags: heapFlags,
  core: 0,
});
parts.defer(() => server.stop());
pinTo("others", process.pid);
const admins = redis?.nodes.map((node) => node.admin()) ?? [];
const wire = mediaWire(16_000, { isPaced: true, saysWhatItHears: true });
await calls?.connect();
const phones = calls === undefined ? 0 : Math.ceil(count * phoneShare);
const visitors = Array.from({ length: count }, (_, at) => {
  const name = `soak-visitor-${at}`;
  const isPhone = calls !== undefined && at < phones;
  const byMedia = (conversation: number): OpenLine => {
    const query = `call_connection_id=${name}&session_id=${name}-${conversation}`;
    return (onMessage) => openRawLine(`ws://127.0.0.1:${server.port}/api/v1/media/stream?${query}`, onMessage);
  };
  const openLine = isPhone ? () => calls.openLine(wire) : byMedia;
  return new Visitor(wire, at / count, openLine, !isPhone);
});
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
let commandsRead = totalOf(commandsBefore);
const measured: Sample[] = [];
const total = { turns: 0, lost: 0, unclear: 0, lostLines: 0, unclearLines: 0 };
const startedMs = performance.now();
let read = { queuedMs: (await server.read("now")).queuedMs, atMs: startedMs };
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
for (let sample = 1; sample <= samples && !stopping.signal.aborted; sample++) {
  const dueInMs = startedMs + (sample * lastsMs) / samples - performance.now();
  await sleep(Math.max(0, dueInMs), undefined, { signal: stopping.signal }).catch(() => undefined);
  const heard = visitors.map((visitor) => visitor.take());
  const turns = heard.reduce((sum, { turns: held }) => sum + held, 0);
  total.turns += turns;
  const commandsNow = totalOf(await commandsSoFar());
  const commandsOfTurn = (commandsNow - commandsRead) / Math.max(1, turns);
  commandsRead = commandsNow;
  const { heapBytes, rssBytes, descriptors, timers, queuedMs } = await server.read("settle");
  const nowMs = performance.now();
  const isStarved = queuedMs - read.queuedMs > starvedShare * (nowMs - read.atMs);
  read = { queuedMs, atMs: nowMs };
  const lost = heard.reduce((sum, { lostTurns, lostStops }) => sum + lostTurns + lostStops, 0);
  total.unclear += heard.reduce((sum, { unclear }) => sum + unclear, isStarved ? lost : 0);
  total.lost += isStarved ? 0 : lost;
  const lostLines = visitors.flatMap((visitor) => visitor.takeLostLines());
  if (isStarved) total.unclearLines += lostLines.length;
  else total.lostLines += lostLines.length;
  for (const why of lostLines)
    console.log(`${minutesFrom(startedMs).toFixed(1)} min: ${why}${isStarved ? " (the server had no processor)" : ""}`);
  measured.push({
    atMinutes: minutesFrom(startedMs),
    figures: {
      heap: heapBytes / 1024 ** 2,
      resident: rssBytes / 1024 ** 2,
      descriptors,
      timers,
      keys: await keysSoFar(),
      "Redis a turn": commandsOfTurn,
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
  if (sample % samplesBetweenLines === 0) console.log(progressLine(measured.at(-1), total));
}

const commands = commandsSince(commandsBefore, await commandsSoFar());
const settled = measured.slice(Math.floor(measured.length * warmUpShare));
let grows = false;
for (const [name, { share, least, unit }] of Object.entries(limits)) {
  const points = settled.map(({ atMinutes, figures }) => ({ at: atMinutes / 60, value: figures[name] ?? 0 }));
  const { median, slope, atLeast } = trendOf(points);
  // In the time that was looked at, not in an hour that was not: a short soak cannot say what a long one does.
  const lookedAtHours = ((measured.at(-1)?.atMinutes ?? 0) * (1 - warmUpShare)) / 60;
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
const { archived, announced, recorded } = left.counts();
const held = sum(({ conversations }) => conversations);
const over = held - count * unsettledPerVisitor;
const fallsBehind = !asked.short && Math.min(archived, announced, recorded) < over;
console.log(
  `${held} conversations, ${total.turns} turns, ${sum(({ reconnects }) => reconnects)} lines that came back; ` +
    `${total.lost} turns or interruptions lost` +
    (total.unclear > 0
      ? ` (and ${total.unclear} while the callers' process stood still or the server had no processor)`
      : "") +
    `, ${total.lostLines} connections lost` +
    (total.unclearLines > 0 ? ` (and ${total.unclearLines} while the server had no processor)` : "") +
    (redis === undefined ? "; no Redis here" : ""),
);
console.log(
  `${archived} archived, ${announced} announced to a webhook, ${recorded} recorded${fallsBehind ? "  FALLS BEHIND" : ""}`,
);
if (redis !== undefined) {
  const all = totalOf(commands);
  console.log(
    `Redis: ${(all / total.turns).toFixed(1)} commands a turn, heartbeats, openings and what scripts do among them, ` +
      `${((all / lastsMs) * 1000).toFixed(1)} a second: ` +
      describeCommands(commands, 12, (count) => `${((100 * count) / all).toFixed(1)} %`),
  );
}
if (grows || fallsBehind || total.lost > 0 || total.lostLines > 0 || total.turns === 0) process.exitCode = 1;

async function startRedis(args: readonly string[]) {
  if (asked.cluster) {
    const { endpoint, primaries, stop } = await startRedisCluster({ args, withReplicas: false });
    return { port: endpoint.port, nodes: primaries, stop };
  }
  const server = await startRedisServer({ args });
  return { port: server.port, nodes: [server], stop: () => server.stop() };
}

function minutesFrom(beganMs: number): number {
  return (performance.now() - beganMs) / 60_000;
}

function progressLine(sample: Sample | undefined, { turns, lost }: typeof total): string {
  const figures = Object.entries(sample?.figures ?? {}).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  return `${(sample?.atMinutes ?? 0).toFixed(1)} min: ${turns} turns, ${lost} lost; ${figures.join(", ")}`;
}

/**
 * Without what is kept for days (calls, their events and webhooks, what was counted), which is as much as there were conversations. What has
 * no life span at all is among the keys.
 */
async function keysSoFar(): Promise<number> {
  let count = 0;
  for (const admin of admins)
    for await (const keys of admin.scanStream({ count: 1000 })) {
      const asking = admin.pipeline();
      for (const key of z.array(z.string()).parse(keys)) asking.ttl(key);
      const lifeSpans = (await asking.exec()) ?? [];
      count += lifeSpans.filter(([, seconds]) => z.number().parse(seconds) <= longestOfASessionS).length;
    }
  return count;
}

/** Of the product and the callers: counting keys, which is done here by commands that neither of them uses, is left out. */
async function commandsSoFar(): Promise<CommandCounts> {
  const counts = new Map<string, number>();
  for (const admin of admins)
    for (const [name, count] of await executedCommands(admin))
      if (name !== "scan" && name !== "ttl") counts.set(name, count + (counts.get(name) ?? 0));
  return counts;
}
