/** What the stream makes of slow handlers, foreign entries and consumers that come and go. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { z } from "zod";
import { everyHandler, termination } from "@voice/shared/state/ports/event-bus.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually } from "../support/wait.ts";

/** After so long without a sign of life, an event in hand is given to another consumer. */
const reclaimAfterMs = 900;
/** The entry's id, its consumer, for how long it has been idle (ms), how often it was delivered. */
const pendingEntry = z.tuple([z.string(), z.string(), z.number(), z.number()]);

describe.skipIf(!isRedisAvailable())("event delivery", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  async function open(keyPrefix: string, clock: Clock = systemClock) {
    const state = await openRedisState(
      server.endpoint,
      { clock, logger: silentLogger },
      {
        keyPrefix,
        reclaimAfterMs,
        closeBoundMs: 200,
        retry: { maxAttempts: 2, firstDelayMs: 20, maxDelayMs: 20 },
      },
    );
    onTestFinished(() => state.close());
    return state.events;
  }

  it("does not take an event from a consumer that is slow but alive", async () => {
    // Each consumer looks after its events when its own clock says so; how long they are idle is Redis's own time.
    const [firstClock, secondClock] = [new VirtualClock(), new VirtualClock()];
    const [first, second] = [await open("slow:", firstClock), await open("slow:", secondClock)];
    const admin = server.admin();
    const inHand = async () =>
      pendingEntry.parse(
        (await admin.xpending("slow:{events}:stream:call.termination-requested", "call-control", "-", "+", 1))[0],
      );
    const looks = async () => Number(/cmdstat_xautoclaim:calls=(\d+)/.exec(await admin.info("commandstats"))?.[1] ?? 0);
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const handle = (): Promise<void> => {
      begun += 1;
      return gate.promise;
    };
    await first.subscribe(everyHandler(handle));
    await first.publish(termination("e-1"));
    await eventually(() => begun === 1, "the first consumer has the event");
    await second.subscribe(everyHandler(handle));
    const [, owner] = await inHand();
    await eventually(
      async () => (await inHand())[2] >= reclaimAfterMs,
      "a consumer that says nothing would be given up",
    );

    firstClock.advance(reclaimAfterMs / 3 + 1);
    await eventually(async () => (await inHand())[2] < reclaimAfterMs, "the first consumer says that it is alive");
    const looksBefore = await looks();
    secondClock.advance(reclaimAfterMs / 3 + 1);
    await eventually(async () => (await looks()) > looksBefore, "the second consumer looks for abandoned events");
    expect(await inHand()).toMatchObject([expect.any(String), owner, expect.any(Number), 1]);

    gate.resolve();
    await eventually(
      async () => (await admin.xpending("slow:{events}:stream:call.termination-requested", "call-control"))[0] === 0,
      "it is handled",
    );
    expect(begun).toBe(1);
  });

  it("[ONCE-1] does not handle an event that waits its turn and was finished meanwhile by a consumer given up too soon", async () => {
    const [silentClock, otherClock] = [new VirtualClock(), new VirtualClock()];
    const [silent, other] = [await open("finished:", silentClock), await open("finished:", otherClock)];
    const admin = server.admin();
    const pending = async () =>
      pendingEntry
        .array()
        .parse(
          await admin.xpending("finished:{events}:stream:call.termination-requested", "call-control", "-", "+", 10),
        );
    const gates = { silent: Promise.withResolvers<void>(), other: Promise.withResolvers<void>() };
    const seen: string[] = [];
    const handledBy = (who: "silent" | "other") =>
      everyHandler(async ({ id }) => {
        seen.push(`${who} ${id}`);
        if (id === "first") await gates[who].promise;
      });
    const leave = await silent.subscribe(handledBy("silent"));
    for (const id of ["first", "second"]) await silent.publish(termination(id, "call-1"));
    await eventually(async () => (await pending()).length === 2, "the silent consumer has both events");
    await other.subscribe(handledBy("other"));
    await eventually(
      async () => (await pending()).every(([, , idleMs]) => idleMs >= reclaimAfterMs),
      "it has said nothing for so long that it is given up",
    );
    otherClock.advance(reclaimAfterMs / 3 + 1);
    await eventually(() => seen.includes("other first"), "the other consumer has both events");

    gates.silent.resolve();
    await eventually(async () => (await pending()).length === 0, "the silent consumer has finished both");
    await leave();
    gates.other.resolve();
    await other.publish(termination("third", "call-1"));
    await eventually(() => seen.includes("other third"), "the other consumer goes on");
    expect(seen).toEqual(["silent first", "other first", "silent second", "other third"]);
  });

  it("[ONCE-1] neither handles an event again that it has in hand, nor loses its words, when a lost consumer group is made anew", async () => {
    const clock = new VirtualClock();
    const events = await open("again:", clock);
    const admin = server.admin();
    const stream = "again:{events}:stream:call.termination-requested";
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    await events.subscribe(
      everyHandler(async () => {
        begun += 1;
        await gate.promise;
        throw new Error("the handler cannot take it");
      }),
    );
    await events.publish(termination("e-1"));
    await eventually(() => begun === 1, "the event is in hand");
    await admin.xgroup("DESTROY", stream, "call-control");
    await eventually(async () => {
      clock.advance(reclaimAfterMs / 3 + 1);
      return pendingEntry.array().parse(await admin.xpending(stream, "call-control", "-", "+", 1)).length === 1;
    }, "the group is made anew and the event delivered again");
    expect(begun).toBe(1);

    gate.resolve();
    await eventually(async () => {
      clock.advance(50);
      return (await events.deadLetters(10)).length === 1;
    }, "it is put aside after its attempts");
    expect(await events.deadLetters(10)).toMatchObject([{ event: termination("e-1"), attempts: 2 }]);
    const pending = async () => (await admin.xpending(stream, "call-control"))[0];
    expect(await pending()).toBe(0);

    await admin.xgroup("DESTROY", stream, "call-control");
    await eventually(async () => {
      clock.advance(reclaimAfterMs / 3 + 1);
      return z.array(z.unknown()).parse(await admin.xinfo("GROUPS", stream)).length === 1;
    }, "the group is made anew once more");
    await events.publish(termination("e-2"));
    await eventually(async () => {
      clock.advance(50);
      return (await events.deadLetters(10)).length === 2;
    }, "the next event is delivered, and the one that is done is not");
    expect((await events.deadLetters(10)).map(({ event }) => event?.id)).toEqual(["e-2", "e-1"]);
    expect([begun, await pending()]).toEqual([4, 0]);
  });

  it("gives an event that failed before its consumers died the reason of that failure, and no attempt more than it may have", async () => {
    const first = await open("reason:");
    let begun = 0;
    const leave = await first.subscribe(
      everyHandler(async (_, { attempt, signal }) => {
        begun += 1;
        if (attempt === 1) throw new Error("the handler cannot take it");
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }),
    );
    await first.publish(termination("e-1"));
    await eventually(() => begun === 2, "the last attempt is made");
    await leave();
    const clock = new VirtualClock();
    const second = await open("reason:", clock);
    await second.subscribe(everyHandler(async () => void (begun += 1)));
    await eventually(async () => {
      clock.advance(reclaimAfterMs / 3 + 1);
      return (await second.deadLetters(10)).length === 1;
    }, "the event is put aside");
    expect(await second.deadLetters(10)).toMatchObject([{ reason: "the handler cannot take it", attempts: 2 }]);
    expect(begun).toBe(2);
  });

  it("keeps an event for its own life span, and not for what is left of an earlier one's", async () => {
    const events = await open("life:");
    const admin = server.admin();
    const stream = "life:{events}:stream:call.termination-requested";
    await events.publish(termination("e-1"));
    expect(await admin.pexpire(stream, 5000)).toBe(1);
    await events.publish(termination("e-2"));
    expect(await admin.pttl(stream)).toBeGreaterThan(5000);
  });

  it("keeps no event, and no dead letter, beyond its life span, although later ones keep their stream alive", async () => {
    const events = await open("old:");
    const admin = server.admin();
    const stream = "old:{events}:stream:call.termination-requested";
    for (const key of [stream, "old:{events}:dead-letters"]) await admin.xadd(key, "1-1", "event", "of long ago");
    await events.publish(termination("e-1"));
    await events.subscribe(everyHandler(() => Promise.reject(new Error("the handler cannot take it"))));
    await eventually(async () => (await events.deadLetters(10)).length === 1, "the event is put aside", 10_000);
    expect(await events.deadLetters(10)).toMatchObject([{ event: termination("e-1") }]);
    expect(await admin.xlen(stream)).toBe(0);
  });

  it("puts an entry that is not an event of ours aside with the reason, and goes on", async () => {
    const events = await open("foreign:");
    const seen: string[] = [];
    await events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    const admin = server.admin();
    await admin.xadd(
      "foreign:{events}:stream:call.termination-requested",
      "*",
      "event",
      '{"id":"x","type":"call.unheard-of"}',
    );
    await admin.xadd("foreign:{events}:stream:call.termination-requested", "*", "event", "not even JSON");
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
      const stop = await events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
      await events.publish(termination(`e-${round}`));
      await eventually(() => seen.length === 1, "the event is handled");
      await eventually(
        async () =>
          Number((await admin.xpending("clean:{events}:stream:call.termination-requested", "call-control"))[0]) === 0,
        "the event is acknowledged",
      );
      await stop();
    }
    expect(await admin.xinfo("CONSUMERS", "clean:{events}:stream:call.termination-requested", "call-control")).toEqual(
      [],
    );
  });

  it("handles many events once each over two processes' worth of consumers", async () => {
    const [first, second] = [await open("many:"), await open("many:")];
    const seen = new Map<string, number[]>();
    const handle = async ({ id, subject }: { id: string; subject: string }): Promise<void> => {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      seen.set(subject, [...(seen.get(subject) ?? []), Number(id.split("/")[1])]);
    };
    await first.subscribe(everyHandler(handle));
    await second.subscribe(everyHandler(handle));
    for (let index = 0; index < 300; index += 1) {
      const subject = `call-${index % 30}`;
      await first.publish(termination(`${subject}/${index}`, subject));
    }
    const count = (): number => [...seen.values()].reduce((sum, ids) => sum + ids.length, 0);
    await eventually(() => count() >= 300, "all events are handled");
    const admin = server.admin();
    const pending = async () =>
      (await admin.xpending("many:{events}:stream:call.termination-requested", "call-control"))[0];
    await eventually(async () => (await pending()) === 0, "nothing is left that could be delivered again");
    expect(count()).toBe(300);
  });
});
