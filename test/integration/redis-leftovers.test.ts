/** What scripts leave on the server, which no port tells of. */
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { ensureGroup, livingHandlers, signOfLife } from "@voice/shared/state/redis/event-scripts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { sleep } from "../support/wait.ts";

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
});
