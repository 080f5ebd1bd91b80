/** The server behind the cache's address becomes another one, and nobody closes the connections to the former one. */
import { afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "@voice/shared/platform/logger";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { startTcpBalancer } from "../support/tcp-balancer.ts";
import { passTime, testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

describe.skipIf(!isRedisAvailable())("an address behind which the redis server changes", () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function startServer(): Promise<RedisServer> {
    const server = await startRedisServer({ args: ["--repl-diskless-sync-delay", "0"] });
    cleanups.push(() => server.stop());
    return server;
  }

  /** `ports`: where the address leads; may be changed. */
  async function listening(
    server: RedisServer,
    ports: number[],
    { operationTimeoutMs = 2000, logger = silentLogger } = {},
  ) {
    const way = await startTcpBalancer(ports);
    cleanups.push(() => way.close());
    const endpoint = { ...server.endpoint, port: way.port, operationTimeoutMs };
    const state = await openRedisState(endpoint, { clock: testClock, logger }, { listeningCheckMs: 200 });
    cleanups.push(() => state.close());
    const updates: string[] = [];
    await state.liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => updates.push(text));
    /** Published again until it is heard, because what was published while the connection was lost is lost, too. */
    async function heard(text: string): Promise<readonly string[]> {
      await eventually(() => {
        state.liveUpdates.publish({ sessionId: "s-1", text });
        return updates.includes(text);
      }, `"${text}" is heard`);
      return updates;
    }
    expect(await heard("before")).toContain("before");
    return { state, way, heard };
  }

  it("goes on bringing live updates when nothing comes through the open connections any more", async () => {
    const server = await startServer();
    const { way, heard } = await listening(server, [server.port], { operationTimeoutMs: 300 });
    way.freeze();
    expect(await heard("after")).toContain("after");
  });

  it("does not open a connection for each write that a former primary refuses, nor log each", async () => {
    const server = await startServer();
    const lines: string[] = [];
    const note = (_fields: object, message: string): void => void lines.push(message);
    const logger = { ...silentLogger, info: note, warn: note, error: note };
    const { state } = await listening(server, [server.port], { logger });
    const admin = server.admin();
    const connectionsSoFar = async (): Promise<number> =>
      Number(/total_connections_received:(\d+)/.exec(await admin.info("stats"))?.[1]);
    const before = await connectionsSoFar();
    const sinceMs = testClock.now();
    await admin.call("REPLICAOF", "127.0.0.1", "1");
    let refusals = 0;
    await eventually(async () => {
      const error: unknown = await state.ping().catch((reason: unknown) => reason);
      if (error instanceof Error && error.message.endsWith("READONLY")) refusals += 1;
      return refusals === 30;
    }, "30 writes are refused");
    const seconds = (testClock.now() - sinceMs) / 1000;
    // Each second one for commands and one for subscriptions: on a busy machine the refusals take some seconds.
    expect((await connectionsSoFar()) - before).toBeLessThanOrEqual(2 * (seconds + 2));
    // Nobody writes for so long that the node might be taken for mended.
    await passTime(10_000);
    expect(lines).toEqual(["a cache node takes no writes any more"]);
    await admin.call("REPLICAOF", "NO", "ONE");
    await eventually(() => lines.includes("the cache node takes writes again"), "the end is logged");
  });

  it("brings the live updates of the new primary, while the former one keeps the connections that it has", async () => {
    const [former, next] = [await startServer(), await startServer()];
    const ports = [former.port];
    const { heard, state } = await listening(former, ports);
    const [formerAdmin, nextAdmin] = [former.admin(), next.admin()];
    await nextAdmin.call("REPLICAOF", "127.0.0.1", `${former.port}`);
    await eventually(
      async () => (await nextAdmin.info("replication")).includes("master_link_status:up"),
      "the replica has everything",
    );
    await nextAdmin.call("REPLICAOF", "NO", "ONE");
    // It is told that it is no primary any more, and does not reach the new one.
    await formerAdmin.call("REPLICAOF", "127.0.0.1", "1");
    ports[0] = next.port;
    await eventually(async () => (await state.ping()).latencyMs >= 0, "the new primary takes writes");
    expect(await heard("after")).toContain("after");
  });
});
