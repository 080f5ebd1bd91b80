/** What the stream makes of slow handlers, foreign entries and consumers that come and go. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { subscription, termination } from "@voice/shared/state/ports/event-bus.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable, startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually, sleep } from "../support/wait.ts";

describe.skipIf(!isRedisAvailable())("event delivery", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  async function open(keyPrefix: string) {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, {
      keyPrefix,
      reclaimAfterMs: 300,
      closeBoundMs: 200,
      retry: { maxAttempts: 2, firstDelayMs: 20, maxDelayMs: 20 },
    });
    onTestFinished(() => state.close());
    return state.events;
  }

  it("does not take an event from a consumer that is slow but alive", async () => {
    const [first, second] = [await open("slow:"), await open("slow:")];
    const begun: string[] = [];
    let finished = 0;
    const handle = async (): Promise<void> => {
      begun.push("begun");
      await sleep(1500);
      finished += 1;
    };
    await first.subscribe(subscription("g", handle));
    await second.subscribe(subscription("g", handle));
    await first.publish(termination("e-1"));
    await eventually(() => finished === 1, "the handler finishes");
    await sleep(700);
    expect(begun).toHaveLength(1);
  });

  it("puts an entry that is not an event of ours aside with the reason, and goes on", async () => {
    const events = await open("foreign:");
    const seen: string[] = [];
    await events.subscribe(subscription("g", async ({ id }) => void seen.push(id)));
    const admin = server.admin();
    await admin.xadd("foreign:{events}:stream:call", "*", "event", '{"id":"x","type":"call.unheard-of"}');
    await admin.xadd("foreign:{events}:stream:call", "*", "event", "not even JSON");
    await events.publish(termination("e-1"));
    await eventually(async () => (await events.deadLetters(10)).length === 2, "both entries are put aside");
    const letters = await events.deadLetters(10);
    expect(letters).toMatchObject([
      { event: undefined, eventJson: "not even JSON", reason: "the stored event is not an event of ours" },
      { event: undefined, eventJson: '{"id":"x","type":"call.unheard-of"}' },
    ]);
    await eventually(() => seen.length === 1, "our event is handled");
  });

  it("leaves no consumer behind that has signed off, and no pending entry", async () => {
    const events = await open("clean:");
    const admin = server.admin();
    for (let round = 0; round < 3; round += 1) {
      const seen: string[] = [];
      const stop = await events.subscribe(subscription("g", async ({ id }) => void seen.push(id)));
      await events.publish(termination(`e-${round}`));
      await eventually(() => seen.length === 1, "the event is handled");
      await eventually(
        async () => Number((await admin.xpending("clean:{events}:stream:call", "g"))[0]) === 0,
        "the event is acknowledged",
      );
      await stop();
    }
    expect(await admin.xinfo("CONSUMERS", "clean:{events}:stream:call", "g")).toEqual([]);
  });

  it("handles many events once each over two processes' worth of consumers", async () => {
    const [first, second] = [await open("many:"), await open("many:")];
    const seen = new Map<string, number[]>();
    const handle = async ({ id, subject }: { id: string; subject: string }): Promise<void> => {
      await sleep(1);
      seen.set(subject, [...(seen.get(subject) ?? []), Number(id.split("/")[1])]);
    };
    await first.subscribe(subscription("g", handle));
    await second.subscribe(subscription("g", handle));
    for (let index = 0; index < 300; index += 1) {
      const subject = `call-${index % 30}`;
      await first.publish(termination(`${subject}/${index}`, subject));
    }
    const count = (): number => [...seen.values()].reduce((sum, ids) => sum + ids.length, 0);
    await eventually(() => count() >= 300, "all events are handled");
    await sleep(500);
    expect(count()).toBe(300);
  });
});
