/** Who is told that a subscription was lost and is there again. */
import { afterEach, expect, it } from "vitest";
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

it.skipIf(!isRedisAvailable())(
  "tells a listener that it missed messages, also when somebody else has restored the channel",
  async () => {
    const server = await startRedisServer();
    cleanups.push(() => server.stop());
    const connections = await openRedisConnections({
      endpoint: server.endpoint,
      clock: testClock,
      logger: silentLogger,
      random: () => 0,
    });
    cleanups.push(() => connections.closeAll());
    // Between two attempts to renew a subscription as much time passes as the test wants; nothing is checked.
    const checkMs = 5000;
    const pauses: (() => void)[] = [];
    const setTimer = (delayMs: number, callback: () => void) => {
      if (delayMs !== checkMs) pauses.push(callback);
      return () => undefined;
    };
    const clock = { ...testClock, setTimer };
    const pubSub = new PubSub({ connections, clock, logger: silentLogger, checkMs });
    cleanups.push(async () => pubSub.close());
    let renewals = 0;
    const listener = { onMessage: () => undefined, onRenewed: () => (renewals += 1) };
    await pubSub.subscribe("news", listener);
    await server.kill();
    await eventually(() => pauses.length === 1, "the first attempt to renew it has failed");
    await server.start();
    await eventually(async () => (await connections.run((redis) => redis.ping())) === "PONG", "the server is back");
    expect(renewals).toBe(0);
    await pubSub.subscribe("news", { onMessage: () => undefined });
    expect(renewals).toBe(1);
    for (const go of pauses.splice(0)) go();
    await pubSub.subscribe("other news", { onMessage: () => undefined });
    expect(renewals).toBe(1);
  },
);
