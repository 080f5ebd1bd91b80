/** The Redis state does what every state does, and leaves nothing on the server that has no end. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import { everyHandler, termination } from "@voice/shared/state/ports/event-bus.contract";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import type { LifeSpans } from "@voice/shared/state/life-spans";
import { describeState } from "@voice/shared/state/ports/state.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import type { CacheEndpoint } from "@voice/shared/state/redis/endpoint";
import { isRedisAvailable } from "../support/installed-programs.ts";
import type { RedisServer } from "../support/redis-server.ts";
import { eventually, sleep } from "../support/wait.ts";

export interface Servers {
  readonly endpoint: CacheEndpoint;
  /** Those that hold the keys between them. */
  readonly holders: readonly RedisServer[];
  stop(): Promise<void>;
}

/** What the suite gives as 50 ms, a server on a busy machine may need for an answer. */
const lasting = (ms: number): number => ms * 4;

const lastingSpans = (lifeSpans: Partial<LifeSpans>): LifeSpans => ({
  ...defaultLifeSpans,
  ...Object.fromEntries(Object.entries(lifeSpans).map(([name, ms]) => [name, lasting(ms)])),
});

/** A file for each kind of server, and within it all tests beside each other: most of them wait for life spans to end. */
export function describeRedisState(where: string, start: () => Promise<Servers>): void {
  describe.skipIf(!isRedisAvailable())(`redis state ${where}`, () => {
    let servers: Servers;
    beforeAll(async () => {
      servers = await start();
    });
    afterAll(() => servers.stop());

    describe.concurrent("does what every state does", () => {
      describeState(async (lifeSpans = {}) => {
        const parts = { clock: systemClock, logger: silentLogger };
        const state = await openRedisState(servers.endpoint, parts, {
          keyPrefix: `${randomUUID()}:`,
          lifeSpans: lastingSpans(lifeSpans),
          retry: { maxAttempts: 3, firstDelayMs: 20, maxDelayMs: 40 },
          reclaimAfterMs: lasting(1000),
          closeBoundMs: lasting(1000),
        });
        return {
          state,
          nowMs: () => Date.now(),
          elapse: (ms) => sleep(lasting(ms)),
          lasting,
          close: () => state.close(),
        };
      });
    });

    it("remembers the conversations of a host whose heartbeat has expired, until it says goodbye", async () => {
      const keyPrefix = `${randomUUID()}:`;
      const parts = { clock: systemClock, logger: silentLogger };
      const state = await openRedisState(servers.endpoint, parts, { keyPrefix });
      onTestFinished(() => state.close());
      await state.hosts.beat(heartbeat("silent"));
      await state.hosts.beat(heartbeat("living"));
      expect((await state.hosts.listWithSilent()).silent).toEqual([]);
      for (const holder of servers.holders) {
        const admin = holder.admin();
        for (const key of await admin.keys(`${keyPrefix}*:host:silent`)) await admin.del(key);
      }
      expect(await state.hosts.list()).toMatchObject([{ hostId: "living" }]);
      expect((await state.hosts.listWithSilent()).silent).toEqual([{ hostId: "silent", sessions: 3 }]);
      await state.hosts.remove("silent");
      expect((await state.hosts.listWithSilent()).silent).toEqual([]);
    });

    it("[LIVE-1] tells every process of a change, and each of everything after it was not told for a while", async () => {
      const keyPrefix = `${randomUUID()}:`;
      const parts = { clock: systemClock, logger: silentLogger };
      const open = () => openRedisState(servers.endpoint, parts, { keyPrefix, listeningCheckMs: 50 });
      const [host, functions] = await Promise.all([open(), open()]);
      onTestFinished(async () => void (await Promise.all([host.close(), functions.close()])));
      const mark = (): number | undefined => host.changes.markOf("s-1");
      const marksAfter = async (change: () => Promise<unknown>): Promise<void> => {
        await eventually(() => mark() !== undefined, "the host is told of changes");
        const before = mark();
        await change();
        await eventually(() => mark() !== undefined && mark() !== before, "the host knows that it has to look");
      };
      await marksAfter(() => functions.agents.create("s-1", "helper", {}));
      await marksAfter(() => functions.agents.putOverride("concierge", 0, {}));
      await marksAfter(() =>
        Promise.all(servers.holders.map((holder) => holder.admin().client("KILL", "TYPE", "PUBSUB"))),
      );
    });

    it("[ACCESS-28] deletes an event that has been handled, which may name numbers", async () => {
      const keyPrefix = `${randomUUID()}:`;
      const state = await openRedisState(servers.endpoint, { clock: systemClock, logger: silentLogger }, { keyPrefix });
      onTestFinished(() => state.close());
      await state.events.publish(termination("e-1"));
      const isDone = Promise.withResolvers<void>();
      await state.events.subscribe(everyHandler(async () => isDone.resolve()));
      await isDone.promise;
      const left = async (): Promise<number> => {
        let entries = 0;
        for (const holder of servers.holders) {
          const admin = holder.admin();
          for (const key of await admin.keys(`${keyPrefix}*stream*`)) entries += await admin.xlen(key);
        }
        return entries;
      };
      await expect.poll(left).toBe(0);
    });

    it("has given every key an end, on every server that holds some", async () => {
      for (const server of servers.holders) {
        const { keys, endless } = await keysOf(server);
        expect(keys).toBeGreaterThan(50 / servers.holders.length);
        expect(endless).toEqual([]);
      }
    });
  });
}

async function keysOf(server: RedisServer): Promise<{ readonly keys: number; readonly endless: readonly string[] }> {
  const redis = server.admin();
  let cursor = "0";
  let keys = 0;
  const endless: string[] = [];
  do {
    const [next, batch] = await redis.scan(cursor, "COUNT", 1000);
    cursor = next;
    keys += batch.length;
    for (const key of batch) if ((await redis.pttl(key)) === -1) endless.push(key);
  } while (cursor !== "0");
  return { keys, endless };
}
