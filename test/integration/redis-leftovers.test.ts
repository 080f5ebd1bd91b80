/** What scripts leave on the server, which no port tells of. */
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { everyHandler, termination } from "@voice/shared/state/ports/event-bus.contract";
import { maxCallLogEntries } from "@voice/shared/state/ports/call-store";
import { conversationRow } from "@voice/shared/state/ports/conversation-table.contract";
import { silentHostTtlMs } from "@voice/shared/state/ports/host-registry";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { ensureGroup, livingHandlers, signOfLife } from "@voice/shared/state/redis/event-scripts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually, sleep } from "../support/wait.ts";

const minute = 60_000;
/** For each its facts: name, value, … */
const consumers = z.array(z.array(z.unknown()));

describe.skipIf(!isRedisAvailable())("what is left on the server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  /** A session of which there is everything that a session may have. */
  async function wholeSession(keyPrefix: string) {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix });
    onTestFinished(() => state.close());
    const { sessions, agents, scenarios, flightLog, messageLog, requestLog } = state;
    const create = () => sessions.create(newSession("session-1", Date.now()));
    const append = () => {
      const metrics = { turnId: "t-1", agent: "front-desk", timestampMs: 1, marks: {} };
      return sessions.appendTurn("session-1", { items: [said("t-1", "Hi", 1)], metrics, appendId: "a-1" });
    };
    await create();
    await append();
    await agents.create("session-1", "helper", { prompt: "help" });
    await scenarios.create("session-1", "own", { agents: ["helper"] });
    for (const log of [flightLog, messageLog, requestLog]) await log.append("session-1", "one", 10);
    const keys = async () => (await server.admin().keys(`${keyPrefix}session:*`)).map((key) => key.split(":").at(-1));
    return { sessions, logs: [flightLog, messageLog, requestLog], create, append, keys };
  }

  it("is of a deleted session that there was one, for longer than a session lives", async () => {
    const { sessions, keys } = await wholeSession("deleted:");
    expect(new Set(await keys())).toEqual(
      new Set(["agents", "flight", "messages", "metrics", "record", "requests", "scenarios", "tombstone", "turns"]),
    );
    await sessions.delete("session-1");
    expect(await keys()).toEqual(["tombstone"]);
    const left = await server.admin().pttl("deleted:session:{session-1}:tombstone");
    expect(left).toBeGreaterThan(defaultLifeSpans.tombstoneMs);
  });

  it("is nothing of a session whose record is lost, once its id is used again", async () => {
    const { sessions, logs, create, append } = await wholeSession("lost:");
    await server.admin().del("lost:session:{session-1}:record");
    await create();
    expect([await sessions.history("session-1"), await sessions.metrics("session-1")]).toEqual([[], []]);
    for (const log of logs) expect(await log.read("session-1")).toEqual([]);
    await append();
    expect(await sessions.history("session-1")).toHaveLength(1);
  });

  it("[WEBHOOK-7] is of a delivery that is over no more than that it is", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix: "over:" });
    onTestFinished(() => state.close());
    const { webhooks } = state;
    const event = { id: "evt_1", type: "session.ended", subject: "session-1", sessionId: "session-1" } as const;
    await webhooks.put({ ...event, receiver: "one", body: "{}" }, 0);
    const [taken] = await webhooks.take("one", 1, minute);
    if (taken === undefined) throw new Error("there was nothing to take");
    await webhooks.finish(taken);
    const admin = server.admin();
    expect(await admin.keys("over:{webhooks}:*")).toEqual(["over:{webhooks}:delivery:evt_1:one"]);
    expect(await admin.hgetall("over:{webhooks}:delivery:evt_1:one")).toEqual({ attempt: "1", done: "1" });
  });

  it("is of a delivery whose content has expired nothing, once somebody has taken it", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix: "expired:" });
    onTestFinished(() => state.close());
    const event = { id: "evt_1", type: "session.ended", subject: "session-1", sessionId: "session-1" } as const;
    await state.webhooks.put({ ...event, receiver: "one", body: "{}" }, 0);
    const admin = server.admin();
    await admin.del("expired:{webhooks}:delivery:evt_1:one", "expired:{webhooks}:of:session-1");
    expect(await state.webhooks.take("one", 1, 0)).toEqual([]);
    expect(await admin.keys("expired:{webhooks}:*")).toEqual([]);
  });

  it("is of what a session was told and is to remember only the latest", async () => {
    const { sessions } = await wholeSession("many:");
    for (let turn = 0; turn < 20; turn += 1) {
      const messages = { piece: `m-${turn}`, keep: 3 };
      await sessions.appendTurn("session-1", { items: [], messages, appendId: `many-${turn}` });
    }
    const admin = server.admin();
    const appends: unknown = JSON.parse((await admin.hget("many:session:{session-1}:record", "appends")) ?? "[]");
    expect(appends).toEqual(Array.from({ length: 8 }, (_, at) => `many-${19 - at}`));
    expect(await admin.lrange("many:session:{session-1}:messages", "0", "-1")).toEqual(["m-17", "m-18", "m-19"]);
  });

  it("[ONCE-5] is of a call's events the latest ids, so that a repetition is known for longer than its entry", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix: "events:" });
    onTestFinished(() => state.close());
    await state.calls.create(newCall("c-1", Date.now()));
    const append = (at: number) =>
      state.calls.appendEvent("c-1", {
        eventId: `e-${at}`,
        type: "Microsoft.Communication.CallConnected",
        timestampMs: at,
        details: {},
      });
    const remembered = 4 * maxCallLogEntries;
    const all = Array.from({ length: remembered + 3 }, (_, at) => at);
    for (const at of all) await append(at);
    expect(await server.admin().zcard("events:{calls}:event-ids:c-1")).toBe(remembered);
    expect(await append(all.length - remembered)).toBe(false);
  });

  it("is in lists nothing that has expired, although what came later keeps them alive", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const lifeSpans = { ...defaultLifeSpans, callMs: 500, sessionMs: 500 };
    const open = async () => {
      const state = await openRedisState(server.endpoint, parts, { keyPrefix: "lists:", lifeSpans });
      onTestFinished(() => state.close());
      return state;
    };
    const atMs = Date.now();
    const before = await open();
    await before.calls.create({ ...newCall("old", atMs - 450), owner: "ada" });
    await before.sessions.create(newSession("old", atMs));
    await sleep(550);
    // Each process tidies with its first write, and the list of a number with the calls of every sixteenth millisecond.
    const after = await open();
    await after.calls.create({ ...newCall("new", Math.floor(Date.now() / 16) * 16), owner: "ada" });
    await after.sessions.create(newSession("new", Date.now()));
    const admin = server.admin();
    const lists = ["{calls}:by-creation", "{calls}:of:ada", "{sessions}:all:all", "sessions:by-activity"];
    const [ofNumber = ""] = await admin.keys("lists:{calls}:with:*");
    for (const list of [...lists.map((name) => `lists:${name}`), ofNumber])
      expect([list, ...(await admin.zrange(list, "0", "-1"))]).toEqual([list, "new"]);
  });

  it("[OPS-8a] is of a call that a host of an older version has changed an entry in the lists that it belongs to", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix: "older:" });
    onTestFinished(() => state.close());
    await state.calls.create(newCall("c-1", Date.now()));
    const admin = server.admin();
    const record = "older:{calls}:record:c-1";
    await admin.hset(record, { status: '"ringing"', version: "2" });
    await admin.zrem("older:{calls}:by-status:initiating", "c-1");
    await admin.zadd("older:{calls}:by-status:ringing", Date.now(), "c-1");
    await admin.hdel(record, "logged");
    await state.calls.update("c-1", 2, { status: "connected" });
    await state.calls.update("c-1", 3, { connectedAtMs: 1 });
    const placesOf = async (status: string) => admin.zcard(`older:{calls}:by-status:${status}`);
    expect([await placesOf("ringing"), await placesOf("connected")]).toEqual([0, 1]);
    const entry = {
      eventId: "e-1",
      type: "Microsoft.Communication.CallConnected",
      timestampMs: 1,
      details: {},
    } as const;
    expect([await state.calls.appendEvent("c-1", entry), await admin.exists(record)]).toEqual([true, 1]);
  });

  it("is of a host whose heartbeat is over how many conversations it had, and nothing once it has been silent for long", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix: "silent:" });
    onTestFinished(() => state.close());
    const admin = server.admin();
    await state.hosts.beat(heartbeat("gone"));
    await admin.del("silent:{hosts}:host:gone");
    await admin.zadd("silent:{hosts}:by-expiry", 1, "gone");
    await state.hosts.beat(heartbeat("living"));
    expect((await state.hosts.listWithSilent()).silent).toEqual([{ hostId: "gone", sessions: 3 }]);
    expect(await admin.zrange("silent:{hosts}:by-expiry", "0", "-1")).toEqual(["living"]);
    const remembered = Number(await admin.zscore("silent:{hosts}:remembered", "gone")) - Date.now();
    expect(Math.abs(remembered - silentHostTtlMs)).toBeLessThan(minute);
    await admin.zadd("silent:{hosts}:remembered", 1, "gone");
    await state.hosts.beat(heartbeat("living"));
    expect((await state.hosts.listWithSilent()).silent).toEqual([]);
    expect(await admin.zrange("silent:{hosts}:remembered", "0", "-1")).toEqual(["living"]);
  });

  it("is of a conversation that has ended no place in any list, once another one begins", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const lifeSpans = { ...defaultLifeSpans, sessionMs: 200 };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix: "rows:", lifeSpans });
    onTestFinished(() => state.close());
    const row = conversationRow("c-1", Date.now(), { who: "+12025550123" });
    await state.conversations.put(row);
    await state.conversations.put({ ...row, who: "kim.lee@example.com", outcome: "failed", revision: 2 });
    await sleep(250);
    await state.conversations.put(conversationRow("c-2", Date.now()));
    const admin = server.admin();
    const lists = (await admin.keys("rows:{conversations}:*")).filter((key) => !key.includes(":row:"));
    const members = (await Promise.all(lists.map((list) => admin.zrange(list, "0", "-1")))).flat();
    expect(members).not.toEqual([]);
    expect(members.filter((member) => member.endsWith("c-1"))).toEqual([]);
  });

  it("[ONCE-2] is of a consumer that has said nothing for long only what it had in hand", async () => {
    const admin = server.admin();
    const [stream, handlers, letters] = ["{gone}:stream", "{gone}:handlers", "{gone}:letters"] as const;
    const alive = (idleMs: number) =>
      signOfLife(admin, [stream, handlers, letters], ["g", minute, idleMs, "call|g|alive", minute]);
    expect(await alive(minute)).toBe(0);
    await ensureGroup(admin, [stream], ["g", minute]);
    await admin.xadd(stream, "*", "event", "{}");
    await admin.xreadgroup("GROUP", "g", "busy", "COUNT", 1, "STREAMS", stream, ">");
    await admin.xgroup("CREATECONSUMER", stream, "g", "idle");
    await admin.zadd(handlers, Date.now() - minute, "call|g|gone");
    const names = async () =>
      consumers.parse(await admin.xinfo("CONSUMERS", stream, "g")).map((facts) => facts[facts.indexOf("name") + 1]);
    expect(await livingHandlers(admin, [handlers], [])).toEqual(["call|g|alive"]);

    expect(await alive(minute)).toBe(1);
    expect(await names()).toEqual(["busy", "idle"]);
    await sleep(5);
    expect(await alive(1)).toBe(1);
    expect(await names()).toEqual(["busy"]);
    expect(await admin.zrange(handlers, "0", "-1")).toEqual(["call|g|alive"]);
    expect(await admin.pttl(handlers)).toBeGreaterThan(0);

    await admin.xgroup("DESTROY", stream, "g");
    expect(await alive(minute)).toBe(0);
  });

  it("is of an event that was handled, or that nobody could handle, nothing in its stream, because it names people", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const retry = { maxAttempts: 1, firstDelayMs: 20, maxDelayMs: 20 };
    const { events, close } = await openRedisState(server.endpoint, parts, { keyPrefix: "events:", retry });
    onTestFinished(close);
    await events.subscribe(
      everyHandler(async ({ id }) => {
        if (id === "hopeless") throw new Error("nobody can handle it");
      }),
    );
    for (const id of ["handled", "hopeless"]) await events.publish(termination(id));
    const admin = server.admin();
    const stream = "events:{events}:stream:call.termination-requested";
    await eventually(async () => (await events.deadLetters(1)).length === 1, "one is given up");
    await eventually(async () => (await admin.xlen(stream)) === 0, "the stream is empty");
    expect(await admin.xpending(stream, "call-control")).toEqual([0, null, null, null]);
    const keys = await admin.keys("events:*");
    expect(keys.length).toBeGreaterThan(3);
    for (const key of keys)
      expect([key, await admin.pttl(key)]).toEqual([key, expect.toSatisfy((left: number) => left > 0)]);
  });
});
