/** A server that is there and does not answer: nothing waits longer than the settings say. */
import { createServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { everyHandler } from "@voice/shared/state/ports/event-bus.contract";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { createKeys, defaultKeyPrefix } from "@voice/shared/state/redis/keys";
import type { CacheEndpoint } from "@voice/shared/state/redis/endpoint";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually, timeOf } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };

/** An operation that has no end of its own would wait for the server. */
const boundMs = 5000;

describe.skipIf(!isRedisAvailable())("a redis server that has frozen", () => {
  let server: RedisServer;
  let thaw: () => void = () => undefined;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterEach(() => thaw());
  afterAll(() => server.stop());

  it("costs an operation its time-out and no more, and is used again when it thaws", async () => {
    const state = await openRedisState({ ...server.endpoint, operationTimeoutMs: 300 }, parts);
    onTestFinished(() => state.close());
    await state.calls.create(newCall("c-1", Date.now()));
    thaw = server.freeze();
    const frozenAtMs = performance.now();
    const waitedMs = await timeOf(
      () => expect(state.calls.get("c-1")).rejects.toMatchObject({ code: "cache_connection_failed" }),
      boundMs,
    );
    expect(performance.now() - frozenAtMs).toBeGreaterThan(250);
    expect(waitedMs).toBeLessThan(boundMs);
    thaw();
    await eventually(async () => (await state.calls.get("c-1")) !== undefined, "the call is found again");
  });

  it("holds up the start of a process for its time-outs and no more", async () => {
    thaw = server.freeze();
    const endpoint = { ...server.endpoint, connectionTimeoutMs: 300, operationTimeoutMs: 300 };
    const waitedMs = await timeOf(async () => {
      const state = await openRedisState(endpoint, parts);
      onTestFinished(() => state.close());
    }, boundMs);
    expect(waitedMs).toBeLessThan(boundMs);
  });

  it("does not hold up the end of a process", async () => {
    const state = await openRedisState({ ...server.endpoint, operationTimeoutMs: 300 }, parts, { closeBoundMs: 300 });
    const handle = async (): Promise<void> => undefined;
    await state.events.subscribe(everyHandler(handle));
    await state.liveUpdates.watch("all", () => undefined);
    thaw = server.freeze();
    expect(await timeOf(() => state.close(), boundMs)).toBeLessThan(boundMs);
  });
});

describe.skipIf(!isRedisAvailable())("the message of an outcome that nobody gets", () => {
  it("is made up for by another look when the wait for it is over", async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const state = await openRedisState(server.endpoint, parts);
    onTestFinished(() => state.close());
    const operation = { callId: "c-1", operationContext: "play" };
    await state.callOperations.outcome(operation, { timeoutMs: 1 }); // listens from now on
    const waiting = state.callOperations.outcome(operation, { timeoutMs: 500 });
    await state.ping(); // behind the first look
    const { outcome } = createKeys(defaultKeyPrefix).callOperation("c-1", "play");
    await server.admin().set(outcome, JSON.stringify({ ok: true }), "PX", 60_000);
    expect(await waiting).toEqual({ ok: true });
  });
});

describe("an address that accepts connections and says nothing", () => {
  let server: Server;
  let endpoint: CacheEndpoint;
  beforeAll(async () => {
    server = createServer(() => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    endpoint = {
      host: "127.0.0.1",
      port: address === null || typeof address === "string" ? 0 : address.port,
      tls: undefined,
      authentication: { type: "none" },
      connectionTimeoutMs: 300,
      operationTimeoutMs: 300,
      maxConnections: 5,
    };
  });
  afterAll(() => {
    server.close();
  });

  it("is reported as an unreachable cache", async () => {
    const state = await openRedisState(endpoint, parts);
    onTestFinished(() => state.close());
    await expect(state.ping()).rejects.toMatchObject({ code: "cache_connection_failed" });
  });

  it("is not spoken to without TLS when TLS is asked for", async () => {
    const state = await openRedisState({ ...endpoint, tls: {} }, parts);
    onTestFinished(() => state.close());
    await expect(state.ping()).rejects.toMatchObject({ code: "cache_connection_failed" });
  });
});
