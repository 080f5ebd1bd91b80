/** The server goes away and comes back: what fails meanwhile, what waits, and what is whole afterwards. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callEventTypes } from "@voice/shared/contracts/events/call-event";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { BufferedSessionStore } from "@voice/shared/state/buffered-session-store";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { everyHandler, termination } from "@voice/shared/state/ports/event-bus.contract";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import type { State } from "@voice/shared/state/ports/state";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually, timeOf } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };

describe.skipIf(!isRedisAvailable())("redis outage", () => {
  let server: RedisServer;
  let state: State;
  beforeEach(async () => {
    server = await startRedisServer();
    state = await openRedisState(server.endpoint, parts, { reclaimAfterMs: 600 });
  });
  afterEach(async () => {
    await state.close();
    await server.stop();
  });

  async function isBack(): Promise<void> {
    await eventually(async () => (await state.ping()).latencyMs >= 0, "the cache is back");
  }

  it("fails at once and clearly while the server is away, and works again when it is back", async () => {
    await state.calls.create(newCall("c-1", Date.now()));
    await server.kill();
    await eventually(async () => {
      const error: unknown = await state.ping().catch((reason: unknown) => reason);
      return error instanceof Error;
    }, "the loss is noticed");
    const tookMs = await timeOf(
      () => expect(state.calls.get("c-1")).rejects.toMatchObject({ code: "cache_connection_failed", retryable: true }),
      5000,
    );
    expect(tookMs).toBeLessThan(5000);
    expect(await state.events.health()).toEqual({ isHealthy: false, handlersCount: 0, domainsCount: 0 });
    state.liveUpdates.publish({ sessionId: "s", text: "lost" });
    await eventually(() => state.liveUpdates.droppedCount === 1, "the update is counted as dropped");
    await server.start();
    await isBack();
    expect(await state.calls.get("c-1")).toMatchObject({ callId: "c-1" });
  });

  it("opens while the server is away and works when it comes", async () => {
    await server.kill();
    const lines: string[] = [];
    const note = (_fields: object, message: string): void => void lines.push(message);
    const early = await openRedisState(server.endpoint, {
      ...parts,
      logger: { ...silentLogger, info: note, warn: note },
    });
    await expect(early.ping()).rejects.toMatchObject({ code: "cache_connection_failed" });
    for (let probe = 0; probe < 3; probe++)
      expect(await early.events.health()).toMatchObject({ isHealthy: false, handlersCount: 0 });
    const seen: string[] = [];
    await early.events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    await server.start();
    await eventually(async () => (await early.ping()).latencyMs >= 0, "the cache is there");
    await early.events.publish(termination("e-1"));
    await eventually(() => seen.length === 1, "the subscription has begun");
    expect(await early.events.health()).toMatchObject({ isHealthy: true });
    expect(lines.filter((line) => line.startsWith("the event system"))).toEqual([
      "the event system is unreachable",
      "the event system is reachable again",
    ]);
    await early.close();
  });

  it("[CACHE-1] carries a running conversation over a restart without losing or doubling a turn", async () => {
    const sessions = new BufferedSessionStore({ store: state.sessions, ...parts });
    let record = await sessions.create(newSession("s-1", Date.now()));
    const speak = async (turn: number): Promise<void> => {
      await sessions.appendTurn("s-1", {
        items: [said(`t-${turn}`, `turn ${turn}`, Date.now())],
        appendId: `a-${turn}`,
      });
      record = await sessions.update("s-1", record.version, { memory: { turn } });
    };
    for (let turn = 0; turn < 40; turn += 1) {
      // In the middle of the writing, not between two turns.
      if (turn === 10) void server.kill();
      await speak(turn);
    }
    expect(sessions.waitingWrites).toBeGreaterThan(50);
    await sessions.create(newSession("s-2", Date.now()));
    await server.start();
    await eventually(() => sessions.waitingWrites === 0, "every write is replayed");
    await speak(40);
    const history = await state.sessions.history("s-1");
    expect(history.map(({ content }) => content)).toEqual(Array.from({ length: 41 }, (_, turn) => `turn ${turn}`));
    expect(await state.sessions.get("s-1")).toMatchObject({ memory: { turn: 40 } });
    expect(await state.sessions.get("s-2")).toMatchObject({ sessionId: "s-2" });
    await sessions.close();
  });

  it("[CACHE-1] [EFFECT-4] tells how an operation ended to a host that waited through a restart, or began to wait in it", async () => {
    const before = { callId: "c-1", operationContext: "transfer:1" };
    const meanwhile = { callId: "c-1", operationContext: "transfer:2" };
    const functions = await openRedisState(server.endpoint, parts);
    const first = state.callOperations.outcome(before, { timeoutMs: 600_000 });
    await functions.callOperations.settle({ ...before, callId: "c-2" }, { ok: true }); // the way is open
    await server.kill();
    const second = state.callOperations.outcome(meanwhile, { timeoutMs: 600_000 });
    await server.start();
    await eventually(async () => (await functions.ping()).latencyMs >= 0, "the functions app has its cache back");
    await functions.callOperations.settle(before, { ok: true });
    await functions.callOperations.settle(meanwhile, { ok: false, reason: "busy" });
    expect(await Promise.all([first, second])).toEqual([{ ok: true }, { ok: false, reason: "busy" }]);
    await functions.close();
  });

  it("[CACHE-3] goes on delivering events and live updates after a restart", async () => {
    const seen: string[] = [];
    const updates: string[] = [];
    await state.events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    await state.liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => updates.push(text));
    await state.liveUpdates.watch("all", ({ text }) => updates.push(text));
    await state.events.publish(termination("e-before"));
    await eventually(() => seen.length === 1, "the first event arrives");
    await server.kill();
    await server.start();
    await isBack();
    await state.events.publish(termination("e-after"));
    await eventually(() => seen.length === 2, "the second event arrives");
    await eventually(() => {
      state.liveUpdates.publish({ sessionId: "s-1", text: "again" });
      return updates.length >= 2;
    }, "the subscriptions are renewed");
    expect(seen).toEqual(["e-before", "e-after"]);
  });

  it("makes its consumer groups again on a server that has lost everything, which is no failure to read", async () => {
    const seen: string[] = [];
    const lines: string[] = [];
    const note = (_fields: object, message: string): void => void lines.push(message);
    const logger = { ...silentLogger, info: note, warn: note, error: note };
    const told = await openRedisState(server.endpoint, { ...parts, logger }, { reclaimAfterMs: 600 });
    await told.events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    await server.admin().flushall();
    const handlersCount = callEventTypes.length;
    await eventually(() => lines.length >= handlersCount, "every group is made again");
    await told.events.publish(termination("e-1"));
    await eventually(() => seen.length === 1, "the event arrives");
    await eventually(
      async () => (await told.events.health()).handlersCount === handlersCount,
      "the handlers are counted again",
    );
    expect(seen).toEqual(["e-1"]);
    expect(lines).toEqual(
      Array.from({ length: handlersCount }, () => "a stream of events was gone and has been made anew"),
    );
    await told.close();
  });

  it("gives no more connections than allowed", async () => {
    const few = await openRedisState({ ...server.endpoint, maxConnections: 2 }, parts);
    await few.liveUpdates.watch("all", () => undefined);
    const third = few.events.subscribe(everyHandler(async () => undefined));
    await expect(third).rejects.toMatchObject({ code: "cache_connection_failed" });
    await few.close();
  });
});
