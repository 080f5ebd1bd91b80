/**
 * How work reaches who does it: `node test/bench/work.ts [pieces]`, on a Redis of its own. Call events are on Redis Streams;
 * everything else with a due time is in the queue (`WorkQueue`), which hosts ask once a second. Beside both, the same
 * queue whose consumers are woken, one for each piece (a blocking read of a list) or all of them (publish). For one, four and
 * sixteen hosts: the time from placing to handling, and the commands for each piece, those within scripts included.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { everyHandler, termination } from "@voice/shared/state/ports/event-bus.contract";
import { beginDue, type WorkQueue } from "@voice/shared/state/ports/work-queue";
import { openRedisConnections } from "@voice/shared/state/redis/connection";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { createKeys } from "@voice/shared/state/redis/keys";
import { createRedisWorkQueue } from "@voice/shared/state/redis/work-queue";
import { startRedisServer } from "../support/redis-server.ts";
import { percentile } from "./percentiles.ts";

const pieces = Number(process.argv[2] ?? 1000);
/** Far below what a host can do, so that nothing waits for another piece. */
const everyMs = 5;
const parts = { clock: systemClock, logger: silentLogger };

await using server = new AsyncDisposableStack();
const redis = await startRedisServer();
server.defer(() => redis.stop());

const placedAtMs = new Map<string, number>();
let waits: number[] = [];

function handled(id: string): void {
  const atMs = placedAtMs.get(id);
  if (placedAtMs.delete(id) && atMs !== undefined) waits.push(performance.now() - atMs);
}

/** Places a piece of work; `open` resolves to that, once all hosts wait for work. */
type Place = (id: string) => Promise<unknown>;
type Open = (hosts: number, run: AsyncDisposableStack) => Promise<Place>;

async function openQueue(run: AsyncDisposableStack, keyPrefix: string): Promise<WorkQueue> {
  const connections = await openRedisConnections({ endpoint: redis.endpoint, ...parts, random: Math.random });
  run.defer(() => connections.closeAll());
  return createRedisWorkQueue(connections, createKeys(keyPrefix).deliveries, 3_600_000);
}

const limit = 8;

async function workOff(queue: WorkQueue): Promise<void> {
  const due = await beginDue(queue, { limit, leaseMs: 60_000, lane: "bench" });
  await Promise.all(
    due.map(({ facts, attempt }) => {
      handled(facts);
      return queue.finish({ id: `${facts}:bench`, holder: String(attempt) });
    }),
  );
  if (due.length === limit) await workOff(queue);
}

const kinds: Readonly<Record<string, Open>> = {
  "streams (call events)": async (hosts, run) => {
    const states = await Promise.all(Array.from({ length: hosts }, () => openRedisState(redis.endpoint, parts)));
    run.defer(async () => void (await Promise.all(states.map((state) => state.close()))));
    for (const { events } of states) await events.subscribe(everyHandler(async ({ id }) => handled(id)));
    return async (id) => states[0]?.events.publish(termination(id, id));
  },
  "queue, asked once a second": async (hosts, run) => {
    const queues = await Promise.all(Array.from({ length: hosts }, () => openQueue(run, "polled:")));
    const timers = queues.map((queue) => setInterval(() => void workOff(queue), 1000));
    run.defer(() => timers.forEach((timer) => clearInterval(timer)));
    return async (id) => queues[0]?.put(`${id}:bench`, { facts: id, body: "{}" }, 0);
  },
  "queue, one host woken": async (hosts, run) => {
    const queues = await Promise.all(Array.from({ length: hosts }, () => openQueue(run, "woken:")));
    for (const queue of queues) {
      const blocked = redis.admin().duplicate();
      run.defer(() => blocked.disconnect());
      const serve = async (): Promise<void> => {
        for (;;) {
          await blocked.blpop("woken:{webhooks}:wake", 0);
          await workOff(queue);
        }
      };
      // Ends with its connection.
      serve().catch(() => undefined);
    }
    const admin = redis.admin();
    return async (id) => {
      await queues[0]?.put(`${id}:bench`, { facts: id, body: "{}" }, 0);
      await admin.rpush("woken:{webhooks}:wake", "1");
    };
  },
  "queue, all hosts woken": async (hosts, run) => {
    const queues = await Promise.all(Array.from({ length: hosts }, () => openQueue(run, "told:")));
    for (const queue of queues) {
      const listening = redis.admin().duplicate();
      run.defer(() => listening.disconnect());
      listening.on("message", () => void workOff(queue));
      await listening.subscribe("told:wake");
    }
    const admin = redis.admin();
    return async (id) => {
      await queues[0]?.put(`${id}:bench`, { facts: id, body: "{}" }, 0);
      await admin.publish("told:wake", "1");
    };
  },
};

async function commands(): Promise<number> {
  const info = await redis.admin().info("commandstats");
  const counted = [...info.matchAll(/^cmdstat_(?!info|config|ping|auth|client|hello)[^:]+:calls=(\d+)/gm)];
  return counted.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

for (const hosts of [1, 4, 16])
  for (const [name, open] of Object.entries(kinds)) {
    await using run = new AsyncDisposableStack();
    await redis.admin().flushall();
    const place = await open(hosts, run);
    await sleep(500);
    waits = [];
    const before = await commands();
    for (let at = 0; at < pieces; at++) {
      const id = `${hosts}-${at}`;
      placedAtMs.set(id, performance.now());
      await Promise.all([place(id), sleep(everyMs)]);
    }
    while (placedAtMs.size > 0) await sleep(50);
    const each = ((await commands()) - before) / pieces;
    const [p50, p99] = [percentile(waits, 0.5).toFixed(1), percentile(waits, 0.99).toFixed(1)];
    console.log(`${hosts} hosts, ${name}: p50 ${p50} ms, p99 ${p99} ms, ${each.toFixed(1)} commands for each piece`);
  }
