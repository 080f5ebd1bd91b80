/** The Redis state does what every state does, and leaves nothing on the server that has no end. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import { describeState } from "@voice/shared/state/ports/state.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable, startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually, sleep } from "../support/wait.ts";

describe.skipIf(!isRedisAvailable())("redis state", () => {
  let server: RedisServer;
  beforeAll(async () => {
    // A cluster of one node: whatever touches two slots at once is refused, as a managed cluster refuses it.
    server = await startRedisServer({ args: ["--cluster-enabled", "yes"] });
    const redis = server.admin();
    await redis.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await eventually(async () => (await redis.info("cluster")).includes("cluster_enabled:1"), "the cluster is up");
    await eventually(async () => (await redis.set("probe", "1", "PX", 60_000)) === "OK", "the slots are served");
  });
  afterAll(() => server.stop());

  describeState(async (lifeSpans = {}) => {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, {
      keyPrefix: `${randomUUID()}:`,
      lifeSpans: { ...defaultLifeSpans, ...lifeSpans },
      retry: { maxAttempts: 3, firstDelayMs: 20, maxDelayMs: 40 },
      reclaimAfterMs: 300,
      closeBoundMs: 1000,
    });
    return {
      state,
      nowMs: () => Date.now(),
      elapse: sleep,
      close: () => state.close(),
    };
  });

  it("has given every key an end", async () => {
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
    expect(keys).toBeGreaterThan(50);
    expect(endless).toEqual([]);
  });
});
