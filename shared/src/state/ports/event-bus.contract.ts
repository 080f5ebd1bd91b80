import { describe, expect, it } from "vitest";
import type { CallEvent } from "../../contracts/events/call-event.ts";
import type { Delivery, EventHandlers } from "./event-bus.ts";
import { opened, until, type OpenState } from "./harness.contract.ts";

function initiation(id: string, subject: string): CallEvent {
  return {
    id,
    type: "call.initiation-requested",
    source: "functions",
    time: "2026-01-01T00:00:00.000Z",
    subject,
    data: { call_id: subject },
  };
}

export function termination(id: string, subject = "call-1"): CallEvent {
  return {
    id,
    type: "call.termination-requested",
    source: "functions",
    time: "2026-01-01T00:00:00.000Z",
    subject,
    data: { call_id: subject, reason: "test" },
  };
}

/** Does the same with every event. */
export function everyHandler(handle: (event: CallEvent, delivery: Delivery) => Promise<void>): EventHandlers {
  return {
    "call.initiation-requested": handle,
    "call.inbound-received": handle,
    "call.callback-received": handle,
    "call.termination-requested": handle,
    "call.farewell-requested": handle,
  };
}

function onceAborted(signal: AbortSignal, then: (value: undefined) => void): void {
  signal.addEventListener("abort", () => then(undefined), { once: true });
}

/** Expects a harness that makes three attempts and waits 20 ms before the second. */
export function describeEventBus(open: OpenState): void {
  describe("event bus", () => {
    it("[ONCE-1] gives an event, whole, to its consumer, and takes an event id once", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const seen: CallEvent[] = [];
      await events.subscribe(everyHandler(async (event) => void seen.push(event)));
      expect(await events.publish(termination("e-1"))).toBe("published");
      expect(await events.publish(termination("e-1"))).toBe("duplicate");
      await until(harness, () => seen.length === 1, "the consumer sees the event");
      await harness.elapse(100);
      expect(seen).toEqual([termination("e-1")]);
    });

    it("keeps what is published before anybody subscribes", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      await events.publish(termination("e-1"));
      const seen: string[] = [];
      await events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
      await until(harness, () => seen.length === 1, "the event arrives");
      expect(seen).toEqual(["e-1"]);
    });

    it("shares the work among the consumers", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const seen: string[] = [];
      const handle = async (event: CallEvent): Promise<void> => void seen.push(event.id);
      await events.subscribe(everyHandler(handle));
      await events.subscribe(everyHandler(handle));
      for (let index = 0; index < 20; index += 1) await events.publish(termination(`e-${index}`, `call-${index}`));
      await until(harness, () => seen.length >= 20, "all events are handled");
      await harness.elapse(100);
      expect(seen.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `e-${index}`).toSorted());
    });

    it("handles events of one subject in order, and a slow one holds up no other subject", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const seen: string[] = [];
      let letGo: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const handle = async ({ id }: CallEvent): Promise<void> => {
        if (id === "slow") await gate;
        seen.push(id);
      };
      await events.subscribe(everyHandler(handle));
      await events.publish(termination("slow", "call-1"));
      await events.publish(termination("after", "call-1"));
      await events.publish(termination("other", "call-2"));
      await until(harness, () => seen.includes("other"), "the other subject is handled");
      expect(seen).toEqual(["other"]);
      letGo();
      await until(harness, () => seen.length === 3, "the rest is handled");
      expect(seen).toEqual(["other", "slow", "after"]);
    });

    it("[ONCE-7] lets no event wait for one of another type, however many of those are in hand", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const seen: string[] = [];
      await events.subscribe(
        everyHandler(async ({ id, type }, { signal }) => {
          if (type === "call.initiation-requested") await new Promise((resolve) => onceAborted(signal, resolve));
          else seen.push(id);
        }),
      );
      for (let index = 0; index < 40; index += 1) await events.publish(initiation(`place-${index}`, `call-${index}`));
      await events.publish(termination("e-1", "call-0"));
      await until(harness, () => seen.length === 1, "the termination is handled");
      expect(seen).toEqual(["e-1"]);
    });

    it("tries a failing event again, counting the attempts, and then is done with it", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const attempts: number[] = [];
      const handle = async (_: CallEvent, { attempt }: Delivery): Promise<void> => {
        attempts.push(attempt);
        if (attempt < 3) throw new Error("not yet");
      };
      await events.subscribe(everyHandler(handle));
      await events.publish(termination("e-1"));
      await until(harness, () => attempts.length === 3, "the third attempt is made");
      await harness.elapse(300);
      expect(attempts).toEqual([1, 2, 3]);
      expect(await events.deadLetters(10)).toEqual([]);
    });

    it("moves an event to the dead letters with the reason after the last attempt, and goes on", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const seen: string[] = [];
      const handle = async ({ id }: CallEvent): Promise<void> => {
        seen.push(id);
        if (id.startsWith("bad")) throw new Error("the handler cannot take it");
      };
      const givenUp: string[] = [];
      await events.subscribe(everyHandler(handle), (type) => givenUp.push(type));
      for (const id of ["bad-1", "good", "bad-2"]) await events.publish(termination(id));
      await until(harness, () => seen.length === 7, "three attempts each, and the good one");
      await harness.elapse(200);
      const letters = await events.deadLetters(10);
      expect(letters).toMatchObject([
        { event: { id: "bad-2" }, reason: "the handler cannot take it", attempts: 3 },
        { event: { id: "bad-1" }, attempts: 3 },
      ]);
      expect(givenUp).toEqual(["call.termination-requested", "call.termination-requested"]);
      expect(await events.deadLetters(1)).toHaveLength(1);
    });

    it("[ACCESS-28] forgets a call's events that nobody has handled, and those that nobody could handle", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const attempts: string[] = [];
      const refuse = async ({ id }: CallEvent): Promise<void> => {
        attempts.push(id);
        throw new Error("the handler cannot take it");
      };
      const stop = await events.subscribe(everyHandler(refuse));
      for (const [id, callId] of [
        ["dead-1", "call-1"],
        ["dead-2", "call-2"],
      ] as const)
        await events.publish(termination(id, callId));
      await until(harness, () => attempts.length === 6, "three attempts each");
      await harness.elapse(200);
      expect(await events.deadLetters(10)).toHaveLength(2);
      await stop();
      for (const [id, callId] of [
        ["open-1", "call-1"],
        ["open-2", "call-2"],
      ] as const)
        await events.publish(termination(id, callId));
      await events.forget("call-1");
      await events.forget("call-1");
      await events.forget("call-unknown");
      expect((await events.deadLetters(10)).map(({ event }) => event?.id)).toEqual(["dead-2"]);
      const seen: string[] = [];
      await events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
      await until(harness, () => seen.length > 0, "the other call's event is handled");
      await harness.elapse(200);
      expect(seen).toEqual(["open-2"]);
    });

    it("[ONCE-2] leaves what a closing consumer did not finish to another one", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const seen: string[] = [];
      const stop = await events.subscribe(
        everyHandler((_, { signal }) => {
          seen.push("first");
          return new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          });
        }),
      );
      await events.publish(termination("e-1"));
      await until(harness, () => seen.length === 1, "the first consumer has it");
      await stop();
      await stop();
      await events.subscribe(everyHandler(async () => void seen.push("second")));
      await until(harness, () => seen.includes("second"), "the second consumer gets it");
      expect(seen).toEqual(["first", "second"]);
    });

    it("[ONCE-2] lets a closing consumer finish what it has in hand", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const gate = Promise.withResolvers<void>();
      const seen: string[] = [];
      const close = await events.subscribe(
        everyHandler(async ({ id }) => {
          seen.push(`${id} begun`);
          await gate.promise;
          seen.push(`${id} finished`);
        }),
      );
      await events.publish(termination("e-1"));
      await until(harness, () => seen.length === 1, "the event is in hand");
      void harness.elapse(50).then(gate.resolve);
      await close();
      expect(seen).toEqual(["e-1 begun", "e-1 finished"]);
    });

    it("goes on with the other consumers when one closes", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      const seen: string[] = [];
      const stop = await events.subscribe(everyHandler(async () => void seen.push("first")));
      await events.subscribe(everyHandler(async () => void seen.push("second")));
      await stop();
      await events.publish(termination("e-1"));
      await until(harness, () => seen.length === 1, "the other consumer gets it");
      expect(seen).toEqual(["second"]);
    });

    it("counts the handlers and domains that have a living consumer", async () => {
      const harness = await opened(open);
      const { events } = harness.state;
      expect(await events.health()).toEqual({ isHealthy: true, handlersCount: 0, domainsCount: 0 });
      const stop = await events.subscribe(everyHandler(async () => undefined));
      expect(await events.health()).toEqual({ isHealthy: true, handlersCount: 5, domainsCount: 1 });
      await events.subscribe(everyHandler(async () => undefined));
      expect(await events.health()).toMatchObject({ handlersCount: 10, domainsCount: 1 });
      await stop();
      expect(await events.health()).toMatchObject({ handlersCount: 5, domainsCount: 1 });
    });
  });
}
