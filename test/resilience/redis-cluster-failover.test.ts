/** A primary of a Redis Cluster dies in the middle of conversations, and its replica takes over. */
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { everyHandler, termination } from "@voice/shared/state/ports/event-bus.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { createKeys, defaultKeyPrefix } from "@voice/shared/state/redis/keys";
import { startRedisCluster } from "../support/redis-cluster.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";
import type { RedisServer } from "../support/redis-server.ts";
import { eventually } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };
const keys = createKeys(defaultKeyPrefix);

const deaths = [
  { death: "is killed", strike: (primary: RedisServer) => primary.kill() },
  // Its connections stay open, and nothing on them is answered.
  { death: "freezes", strike: (primary: RedisServer) => Promise.resolve(primary.freeze()) },
];

describe.skipIf(!isRedisAvailable()).each(deaths)("a primary that $death", ({ strike }) => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function started() {
    const cluster = await startRedisCluster();
    cleanups.push(() => cluster.stop());
    const state = await openRedisState(cluster.endpoint, parts, { reclaimAfterMs: 600 });
    cleanups.push(() => state.close());
    // A host admits nobody while its cache is slow, as it may be while six servers have just started.
    await eventually(async () => (await state.ping()).latencyMs < 200, "the cluster is at work");
    return { cluster, state };
  }

  /** Kills or freezes the node that serves the key, and resolves when another node serves it. */
  async function failOver({ cluster }: Awaited<ReturnType<typeof started>>, key: string): Promise<void> {
    const struck = await cluster.primaryOf(key);
    await strike(struck);
    await eventually(async () => (await cluster.primaryOf(key)) !== struck, "the replica takes over");
  }

  it("[CACHE-1] costs no conversation a turn, wherever it is stored", async () => {
    const scene = await started();
    const { cluster, state } = scene;
    const host = await startTestHost({ state });
    cleanups.push(() => host.close());
    const url = host.url("/api/v1/browser/conversation");
    const browsers = await Promise.all(Array.from({ length: 6 }, () => connectBrowser(url)));
    const askAll = (words: string): Promise<unknown> =>
      Promise.all(
        browsers.map(async (browser) => {
          expect(await browser.ask(words)).toBe(`You said ${words}.`);
        }),
      );
    await askAll("one");
    const [first] = browsers;
    if (first === undefined) throw new Error("there are browsers");
    const takenOver = failOver(scene, keys.session(first.sessionId).record);
    await askAll("two");
    await askAll("three");
    await takenOver;
    await askAll("four");
    const spoken = async (sessionId: string): Promise<string[]> =>
      (await state.sessions.history(sessionId)).filter(({ role }) => role === "user").map(({ content }) => content);
    for (const { sessionId } of browsers) {
      await eventually(async () => (await spoken(sessionId)).length >= 4, "every turn is stored");
      expect(await spoken(sessionId)).toEqual(["one", "two", "three", "four"]);
    }
    await eventually(async () => (await state.ping()).latencyMs >= 0, "the cache is healthy again");
    expect(cluster.nodes.filter((node) => !node.isUp())).toHaveLength(1);
    await Promise.all(browsers.map((browser) => browser.close()));
  });

  it("[CACHE-3] costs no event, and those who watch see what comes after it", async () => {
    const scene = await started();
    const { state } = scene;
    const seen: string[] = [];
    const updates: string[] = [];
    await state.events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    await state.liveUpdates.watch("all", ({ text }) => updates.push(text));
    await state.events.publish(termination("e-before"));
    await eventually(() => seen.length === 1, "the first event arrives");
    await failOver(scene, keys.handlers);
    await eventually(async () => (await state.events.publish(termination("e-after"))) !== undefined, "it is published");
    await eventually(() => seen.length === 2, "the second event arrives");
    expect(seen).toEqual(["e-before", "e-after"]);
    const sessionIds = Array.from({ length: 20 }, (_, number) => `s-${number}`);
    await eventually(() => {
      for (const sessionId of sessionIds) state.liveUpdates.publish({ sessionId, text: sessionId });
      return sessionIds.every((sessionId) => updates.includes(sessionId));
    }, "every channel is heard again");
  });
});
