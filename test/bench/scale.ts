/**
 * What the state costs as conversations grow from ten to ten thousand: `node test/bench/scale.ts [largest]`, on a Redis Cluster
 * of its own with three masters. For each operation: commands, those within scripts included; the servers' processor time;
 * and how long it takes. The first two must stay as they are; exit code 1 where an operation needs more commands with
 * more conversations.
 */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { termination } from "@voice/shared/state/ports/event-bus.contract";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import type { State } from "@voice/shared/state/ports/state";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import type { Redis } from "ioredis";
import { startRedisCluster } from "../support/redis-cluster.ts";
import { percentile } from "./percentiles.ts";

const largest = Number(process.argv[2] ?? 10_000);
const sizes = [10, 100, 1000, 10_000, 100_000].filter((size) => size <= largest);
/** As many as `infra/sizes.json` lets a host take. */
const callsOfHost = 150;
const turnsOfSession = 10;
const rounds = 300;
/** All at once would make the last wait for longer than a command may take. */
const portion = 200;

const names = { session: (at: number) => `s-${at}`, call: (at: number) => `c-${at}`, host: (at: number) => `h-${at}` };
const client = "a-client";
let fresh = 0;

function turn(at: number) {
  const now = Date.now();
  const turnId = `t-${at}`;
  const marks = { recognised: 180, model_first_token: 420, synthesis_first_audio: 610, audible: 640 };
  const metrics = { turnId, agent: "concierge", timestampMs: now, marks };
  const question = said(turnId, "I want to know how much money is in my savings account", now);
  const answer = "Your savings account has two thousand four hundred and thirty dollars. Is there anything else?";
  const items = [question, { ...question, role: "assistant" as const, content: answer }];
  return { items, metrics, appendId: turnId, turnCount: at };
}

async function addSession(state: State, at: number): Promise<void> {
  await state.sessions.create({ ...newSession(names.session(at), Date.now()), channel: "phone" });
  for (let number = 1; number <= turnsOfSession; number++)
    await state.sessions.appendTurn(names.session(at), turn(number));
}

async function addCall(state: State, at: number): Promise<void> {
  await beginCall(state, names.call(at));
  await state.callStreams.hold({ id: names.call(at), holder: names.host(Math.floor(at / callsOfHost)) }, 600_000);
  if (at % callsOfHost === 0) await state.hosts.beat(heartbeat(names.host(at / callsOfHost)));
}

async function beginCall(state: State, callId: string): Promise<number> {
  const now = Date.now();
  await state.calls.create({ ...newCall(callId, now), callConnectionId: `k-${callId}`, owner: client });
  for (const what of ["CallConnected", "ParticipantsUpdated", "MediaStreamingStarted"])
    await state.calls.appendEvent(callId, {
      eventId: `${callId}-${what}`,
      type: `Microsoft.Communication.${what}`,
      timestampMs: now,
      details: {},
    });
  return (await state.calls.update(callId, 1, { status: "connected" })).version;
}

/** Each is done with a conversation somewhere among the `count`. */
const operations: Readonly<Record<string, (state: State, at: number, count: number) => Promise<unknown>>> = {
  "store a turn": (state, at) => state.sessions.appendTurn(names.session(at), turn(1000 + fresh++)),
  "read a session and its history": (state, at) =>
    Promise.all([state.sessions.get(names.session(at)), state.sessions.history(names.session(at))]),
  "begin and end a call": async (state) => {
    const callId = `fresh-${fresh++}`;
    const version = await beginCall(state, callId);
    await state.calls.update(callId, version, { status: "disconnected" });
  },
  "find a call by its connection": (state, at) => state.calls.getByConnection(`k-${names.call(at)}`),
  "list 20 sessions, from the middle": (state, _, count) =>
    state.sessions.list({ offset: Math.floor(count / 2), limit: 20 }),
  "list 20 calls, from the middle": (state, _, count) => state.calls.list({ offset: Math.floor(count / 2), limit: 20 }),
  "list 20 connected calls": (state) => state.calls.list({ offset: 0, limit: 20, status: "connected" }),
  "list 20 calls of a client that has all": (state) => state.calls.list({ offset: 0, limit: 20, owner: client }),
  "renew the leases of a host's calls": (state, at, count) => {
    const host = Math.floor(at / callsOfHost) % Math.max(1, Math.floor(count / callsOfHost));
    const ids = Array.from({ length: callsOfHost }, (__, number) =>
      // Where there are fewer conversations than a host takes, the same ones several times.
      names.call((host * callsOfHost + number) % count),
    );
    const holds = ids.map((id) => ({ id, holder: names.host(host) }));
    return state.callStreams.renew(holds, 600_000);
  },
  "look for calls without a stream": (state) => state.callStreams.take({ limit: 10, leaseMs: 1000 }),
  "reserve a place for a call": (state) => state.callPlaces.keep(`r-${fresh++}`, { free: 1_000_000, forMs: 1000 }),
  "a host's heartbeat": (state, at) => state.hosts.beat(heartbeat(names.host(Math.floor(at / callsOfHost)))),
  "read all hosts": (state) => state.hosts.list(),
  "publish 100 notices with nobody watching": async (state, at) => {
    for (let told = 0; told < 100; told++) state.liveUpdates.publish({ sessionId: names.session(at), text: "{}" });
    await state.ping(); // on its way behind them
  },
  "publish an event": (state) => state.events.publish(termination(`e-${fresh++}`)),
};

interface Counts {
  readonly commands: number;
  readonly cpuMs: number;
  readonly bytes: number;
}

async function countsOf(admins: readonly Redis[]): Promise<Counts> {
  const infos = await Promise.all(admins.map((admin) => admin.info("all")));
  const sum = (pattern: RegExp): number =>
    infos.reduce(
      (all, info) => all + [...info.matchAll(pattern)].reduce((some, [, value]) => some + Number(value), 0),
      0,
    );
  return {
    // Of the product: what this looks with, and what nodes and clients ask in the background, is left out.
    commands: sum(/^cmdstat_(?!info|config|cluster|ping|auth|client|hello|set\|)[^:]+:calls=(\d+)/gm),
    cpuMs: sum(/^used_cpu_(?:user|sys):([\d.]+)/gm) * 1000,
    bytes: sum(/^used_memory:(\d+)/gm),
  };
}

interface Cost {
  readonly commands: number;
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function costOf(
  operation: (at: number) => Promise<unknown>,
  admins: readonly Redis[],
  count: number,
): Promise<Cost> {
  const places = Array.from({ length: rounds }, (_, round) => Math.floor(((round * 0.618_034) % 1) * count));
  // Scripts are sent to each server once, and code is compiled.
  for (const at of places.slice(0, rounds / 5)) await operation(at);
  const before = await countsOf(admins);
  const tookMs: number[] = [];
  for (const at of places) {
    const beganMs = performance.now();
    await operation(at);
    tookMs.push(performance.now() - beganMs);
  }
  const after = await countsOf(admins);
  return {
    commands: (after.commands - before.commands) / rounds,
    cpuUs: ((after.cpuMs - before.cpuMs) * 1000) / rounds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
  };
}

await using parts = new AsyncDisposableStack();
const cluster = await startRedisCluster({ withReplicas: false, args: ["--appendonly", "no", "--save", ""] });
parts.defer(() => cluster.stop());
const state = await openRedisState(cluster.endpoint, { clock: systemClock, logger: silentLogger });
parts.defer(() => state.close());
const admins = cluster.primaries.map((primary) => primary.admin());
const costs = new Map(Object.keys(operations).map((name) => [name, new Map<number, Cost>()]));
let filled = 0;

/** How much memory each one more takes. */
async function fill(size: number, add: (state: State, at: number) => Promise<void>): Promise<string> {
  const before = await countsOf(admins);
  for (let from = filled; from < size; from += portion) {
    const some = Array.from({ length: Math.min(portion, size - from) }, (_, number) => from + number);
    await Promise.all(some.map((at) => add(state, at)));
  }
  const { bytes } = await countsOf(admins);
  return `${((bytes - before.bytes) / (size - filled) / 1024).toFixed(1)} KB`;
}

for (const size of sizes) {
  const [ofSession, ofCall] = [await fill(size, addSession), await fill(size, addCall)];
  filled = size;
  console.log(`${size}: a session of ${turnsOfSession} turns takes ${ofSession}, a call ${ofCall}`);
  for (const [name, operation] of Object.entries(operations))
    costs.get(name)?.set(size, await costOf((at) => operation(state, at, size), admins, size));
}

let grows = false;
const heads = sizes.flatMap((size) => [`${size}`, "µs", "p50 / p99 ms"]);
console.log(`\n| commands and their cost with conversations | ${heads.join(" | ")} |`);
console.log(`| --- | ${heads.map(() => "---").join(" | ")} |`);
for (const [name, bySize] of costs) {
  const cells = sizes.flatMap((size) => {
    const { commands = 0, cpuUs = 0, p50Ms = 0, p99Ms = 0 } = bySize.get(size) ?? {};
    return [commands.toFixed(1), cpuUs.toFixed(0), `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)}`];
  });
  // A page is not full yet where there are ten; heartbeats of hosts are as many as there are hosts, in one command.
  const known = sizes.slice(1).map((size) => bySize.get(size)?.commands ?? 0);
  const isGrowing = Math.max(...known) > Math.min(...known) * 1.05 + 0.1;
  grows ||= isGrowing;
  console.log(`| ${name}${isGrowing ? " GROWS" : ""} | ${cells.join(" | ")} |`);
}
if (grows) process.exitCode = 1;
