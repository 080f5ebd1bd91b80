/** How long a subscription lasts, and who is told that it was lost and is there again. */
import { afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "@voice/shared/platform/logger";
import { openRedisConnections } from "@voice/shared/state/redis/connection";
import { PubSub } from "@voice/shared/state/redis/pub-sub";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const checkMs = 5000;

async function open({ isChecked = false } = {}) {
  const server = await startRedisServer();
  cleanups.push(() => server.stop());
  const connections = await openRedisConnections({
    endpoint: { ...server.endpoint, connectionTimeoutMs: 300, operationTimeoutMs: 300 },
    clock: testClock,
    logger: silentLogger,
    random: () => 0,
  });
  cleanups.push(() => connections.closeAll());
  // Between two attempts to renew a subscription as much time passes as the test wants.
  const pauses: (() => void)[] = [];
  const setTimer = (delayMs: number, callback: () => void) => {
    if (delayMs === checkMs) return isChecked ? testClock.setTimer(50, callback) : () => undefined;
    pauses.push(callback);
    return () => undefined;
  };
  const clock = { ...testClock, setTimer };
  const pubSub = new PubSub(connections, clock, silentLogger, checkMs);
  cleanups.push(async () => pubSub.close());
  let renewals = 0;
  const listener = { onMessage: () => undefined, onRenewed: () => (renewals += 1) };
  return { server, connections, pauses, pubSub, listener, renewals: () => renewals };
}

describe.skipIf(!isRedisAvailable())("a subscription", () => {
  it("tells a listener that it missed messages, also when somebody else has restored the channel", async () => {
    const { server, connections, pauses, pubSub, listener, renewals } = await open();
    await pubSub.subscribe("news", listener);
    (await pubSub.subscribe("old news", listener))();
    await server.kill();
    await eventually(() => pauses.length === 1, "the first attempt to renew it has failed");
    await server.start();
    await eventually(async () => (await connections.run((redis) => redis.ping())) === "PONG", "the server is back");
    expect(renewals()).toBe(0);
    await pubSub.subscribe("news", { onMessage: () => undefined });
    expect(renewals()).toBe(1);
    for (const go of pauses.splice(0)) go();
    await pubSub.subscribe("other news", { onMessage: () => undefined });
    expect(renewals()).toBe(1);
    expect(await pubSub.publish("old news", "nobody wants it")).toBe(0);
  });

  it("is over on the server when its last listener has gone", async () => {
    const { pubSub, listener } = await open();
    const stops = [await pubSub.subscribe("news", listener), await pubSub.subscribe("news", listener)];
    expect(await pubSub.publish("news", "one")).toBe(1);
    stops[0]?.();
    expect(await pubSub.publish("news", "two")).toBe(1);
    stops[1]?.();
    await eventually(async () => (await pubSub.publish("news", "three")) === 0, "nobody gets the message any more");
  });

  it("is renewed when its server stopped answering, though the connection stayed", async () => {
    const { server, pauses, pubSub, listener, renewals } = await open({ isChecked: true });
    await pubSub.subscribe("news", listener);
    const thaw = server.freeze();
    await eventually(() => pauses.length > 0, "the first attempt to renew it has failed");
    thaw();
    await eventually(() => {
      for (const go of pauses.splice(0)) go();
      return renewals() === 1;
    }, "the listener is told");
    expect(await pubSub.publish("news", "one")).toBe(1);
  });
});
