/** What the state costs on the server: commands, round trips, and never a walk over the keyspace. */
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { callStatuses } from "@voice/shared/contracts/calls/call-status";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import type { State } from "@voice/shared/state/ports/state";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { executedCommands, totalOf, watchCommands } from "../support/redis-commands.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { startSlowWire } from "../support/slow-wire.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually, longestWaitMs } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };
const callCount = 10_000;

describe.skipIf(!isRedisAvailable())("redis cost", () => {
  let server: RedisServer;
  let state: State;
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedisServer({ args: ["--appendonly", "no"] });
    // Commands are counted, and not how long a busy machine needs for thousands of them.
    state = await openRedisState({ ...server.endpoint, operationTimeoutMs: longestWaitMs }, parts);
    admin = server.admin();
  });
  afterAll(async () => {
    await state.close();
    await server.stop();
  });

  /** How often each command ran on the server while the operation did. */
  async function commandsOf(operation: () => Promise<unknown>): Promise<Record<string, number>> {
    await admin.config("RESETSTAT");
    await operation();
    return Object.fromEntries(await executedCommands(admin));
  }

  /**
   * What was sent, and what scripts did, about one session or about the agents of all, from now until the given number of scripts; all that is
   * published counts.
   */
  async function commandsAbout(
    sessionId: string,
    scripts: number,
    operation: () => Promise<unknown>,
  ): Promise<string[]> {
    const names: string[] = [];
    const stop = await watchCommands(server.port, ([name = "", ...args]) => {
      const isAbout = args.some((arg) => arg.includes(sessionId) || arg.endsWith("agent-overrides"));
      if (isAbout || /publish|echo/i.test(name)) names.push(name.toLowerCase());
    });
    await operation();
    await eventually(() => names.filter((name) => name === "evalsha").length >= scripts, "the scripts have run");
    await admin.echo("until here");
    await eventually(() => names.includes("echo"), "everything before it was seen");
    stop();
    return names.slice(0, names.indexOf("echo"));
  }

  it("lists and filters ten thousand calls by range, never by a scan", async () => {
    const now = Date.now();
    const statusOf = (index: number) => callStatuses[index % callStatuses.length] ?? "failed";
    const indexes = Array.from({ length: callCount }, (_, index) => index);
    // In portions: all at once would make the last wait for longer than a command may take.
    for (let first = 0; first < callCount; first += 500) {
      const portion = indexes.slice(first, first + 500);
      await Promise.all(
        portion.map((index) =>
          state.calls.create({ ...newCall(`c-${index}`, now - index, statusOf(index)), owner: "a-client" }),
        ),
      );
    }

    const pages: string[][] = [];
    const commands = await commandsOf(async () => {
      for (const offset of [0, 5000, callCount - 10]) {
        const page = await state.calls.list({ offset, limit: 10 });
        expect(page.total).toBe(callCount);
        pages.push(page.calls.map(({ call }) => call.callId));
      }
      const itsOwn = await state.calls.list({ offset: 5000, limit: 10, owner: "a-client" });
      expect(itsOwn).toMatchObject({ total: callCount, calls: { length: 10 } });
      const connected = await state.calls.list({ offset: 100, limit: 10, status: "connected" });
      expect(connected.total).toBe(Math.ceil((callCount - 2) / callStatuses.length));
      expect(new Set(connected.calls.map(({ call }) => call.status))).toEqual(new Set(["connected"]));
    });

    expect(pages[0]?.[0]).toBe("c-0");
    expect(pages[1]).toEqual(Array.from({ length: 10 }, (_, index) => `c-${5000 + index}`));
    expect(pages[2]?.at(-1)).toBe(`c-${callCount - 1}`);
    expect(commands).toEqual({ zrevrange: 5, zcount: 5, hgetall: 50, lrange: 50 });
    const filtered = await commandsOf(async () => {
      const time = { fromMs: now - 9000, beforeMs: now - 1000 };
      const query = { offset: 50, limit: 10, outcome: "failed", direction: "outbound", ...time } as const;
      const page = await state.calls.list(query);
      expect([page.total, page.calls.length]).toEqual([Math.ceil(8000 / callStatuses.length), 10]);
    });
    expect(filtered).toEqual({ zrevrange: 1, zcount: 2, hgetall: 10, lrange: 10 });
  });

  it("does one script and one index entry per turn, however long the history is", async () => {
    await state.sessions.create(newSession("s-long", Date.now()));
    const items = [said("t", "a question", Date.now()), said("t", "an answer", Date.now())];
    for (let turn = 0; turn < 50; turn += 1)
      await state.sessions.appendTurn("s-long", { items, appendId: `a-${turn}` });
    const commands = await commandsOf(() => state.sessions.appendTurn("s-long", { items, appendId: "last" }));
    // Three within the script, none of which renews a life span.
    expect(commands).toEqual({ evalsha: 1, hmget: 1, rpush: 1, hset: 1, zadd: 1 });
  });

  it("[HS-10d] [LIVE-1] holds a turn in a dozen commands of two scripts, and publishes nothing that nobody watches", async () => {
    // In real time, in which nothing of the turn before is written alone meanwhile.
    const host = await startTestHost({ state, clock: systemClock });
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation"));
    const { sessionId } = browser;
    await commandsAbout(sessionId, 2, () => browser.ask("the first turn"));
    const commands = await commandsAbout(sessionId, 2, () => browser.ask("the second turn"));
    // The caller's words and the reply.
    expect(commands.filter((name) => name === "evalsha")).toHaveLength(2);
    expect(commands).not.toContain("publish");
    // At most twelve: a failure says which came after them.
    expect({ all: commands, beyond: commands.slice(12) }).toEqual({ all: commands, beyond: [] });
    // Nothing is read to find out whether a request has changed something: who changes something says so.
    expect(commands.filter((name) => ["hgetall", "exists", "hvals"].includes(name))).toEqual([]);
    await browser.close();
    await host.close();
  });

  it("begins, logs and ends a call in fifty commands, and enters only the lists that it belongs to", async () => {
    const wholeCall = async (callId: string): Promise<void> => {
      const now = Date.now();
      await state.calls.create({ ...newCall(callId, now), callConnectionId: `k-${callId}`, owner: "a-client" });
      for (const what of ["CallConnected", "ParticipantsUpdated", "MediaStreamingStarted"] as const) {
        const type = `Microsoft.Communication.${what}` as const;
        await state.calls.appendEvent(callId, { eventId: what, type, timestampMs: now, details: {} });
      }
      const { version } = await state.calls.update(callId, 1, { status: "connected" });
      await state.calls.update(callId, version, { status: "disconnected" });
    };
    // Scripts are sent once, and once in ten minutes a process tidies the list of an owner.
    await wholeCall("c-before");
    const commands = await commandsOf(() => wholeCall("c-cost"));
    // Created: all, its status and its outcome, with and without its direction; its number and its owner. Then two statuses, an outcome.
    expect(commands).toMatchObject({ evalsha: 6, zadd: 6 + 2 + 3 + 2 * 3, zrem: 2 * 3 });
    expect(totalOf(new Map(Object.entries(commands)))).toBeLessThanOrEqual(50);
  });

  it("begins and ends a session without touching lists that it was never in", async () => {
    const commands = await commandsOf(async () => {
      const { version } = await state.sessions.create(newSession("s-cost", Date.now()));
      await state.sessions.update("s-cost", version, { status: "ended" });
    });
    expect(commands).toMatchObject({ zadd: 1 + 4 + 1 + 4, zrem: 2 });
  });

  it("appends a turn, patches a session and lists calls within their round trips", async () => {
    const wire = await startSlowWire(server.port, 50);
    const far = await openRedisState({ ...server.endpoint, port: wire.port }, parts);
    const tripsOf = async (operation: () => Promise<unknown>): Promise<number> => {
      const before = wire.roundTrips();
      await operation();
      return wire.roundTrips() - before;
    };
    const record = await far.sessions.create(newSession("s-far", Date.now()));
    const turn = { items: [said("t", "hello", Date.now())], appendId: "a-1" };
    // The first use of a script on a server costs one more trip: the server has seen this one above.
    expect(await tripsOf(() => far.sessions.appendTurn("s-far", turn))).toBe(1);
    await far.sessions.update("s-far", record.version, {});
    expect(await tripsOf(() => far.sessions.update("s-far", record.version + 1, { activeAgent: "fraud" }))).toBe(1);
    expect(await tripsOf(() => far.sessions.get("s-far"))).toBe(1);
    expect(await tripsOf(() => far.calls.list({ offset: 0, limit: 10 }))).toBe(2);
    await far.close();
    await wire.close();
  });
});
