/** What scripts leave on the server, which no port tells of. */
import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
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

  it("[WEBHOOK-7] is of a delivery that is over no more than that it is", async () => {
    const parts = { clock: systemClock, logger: silentLogger };
    const { webhooks, close } = await openRedisState(server.endpoint, parts, { keyPrefix: "over:" });
    onTestFinished(close);
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
    expect(await admin.zrange(handlers, 0, -1)).toEqual(["call|g|alive"]);
    expect(await admin.pttl(handlers)).toBeGreaterThan(0);

    await admin.xgroup("DESTROY", stream, "g");
    expect(await alive(minute)).toBe(0);
  });
});
