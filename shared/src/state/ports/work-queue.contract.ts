/** Pieces of work with a content: deliveries and conversations to archive. */
import { describe, expect, it } from "vitest";
import type { TakenDelivery, WebhookDelivery } from "../work/webhook-deliveries.ts";
import { opened, type OpenState, type StateHarness } from "./harness.contract.ts";

const ended: WebhookDelivery = {
  id: "evt_1",
  type: "session.ended",
  subject: "session-1",
  sessionId: "session-1",
  receiver: "one",
  body: '{"of":"session-1"}',
};
const other: WebhookDelivery = { ...ended, id: "evt_2", subject: "call-2", type: "call.ended", sessionId: "session-2" };
const leaseMs = 60_000;

export function describeWorkQueue(open: OpenState): void {
  describe("work queue: deliveries", () => {
    const take = ({ state }: StateHarness, forMs = leaseMs): Promise<readonly TakenDelivery[]> =>
      state.webhooks.take("one", 10, forMs);

    it("gives a delivery to one of those who ask, and to the next when its lease is over", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      const taken = await Promise.all([take(harness, harness.lasting(300)), take(harness, harness.lasting(300))]);
      expect(taken.flat()).toEqual([{ ...ended, attempt: 1 }]);
      await harness.elapse(350);
      expect(await take(harness)).toEqual([{ ...ended, attempt: 2 }]);
    });

    it("has a delivery for each receiver, and gives no more than are asked for", async () => {
      const harness = await opened(open);
      const { webhooks } = harness.state;
      for (const id of ["evt_1", "evt_2", "evt_3"]) await webhooks.put({ ...ended, id }, 0);
      await webhooks.put({ ...ended, receiver: "two" }, 0);
      expect(await webhooks.take("three", 10, leaseMs)).toEqual([]);
      expect(await webhooks.take("two", 10, leaseMs)).toEqual([{ ...ended, receiver: "two", attempt: 1 }]);
      const portions = [await webhooks.take("one", 2, leaseMs), await webhooks.take("one", 2, leaseMs)];
      expect(portions.map((portion) => portion.length)).toEqual([2, 1]);
      expect(new Set(portions.flat().map(({ id }) => id)).size).toBe(3);
    });

    it("finds what is due to one receiver behind everything that is due to another", async () => {
      const harness = await opened(open);
      const { webhooks } = harness.state;
      const many = Array.from({ length: 1001 }, (_, at) => ({ ...ended, id: `evt_many_${at}`, receiver: "two" }));
      await Promise.all(many.map((delivery) => webhooks.put(delivery, 0)));
      await harness.elapse(2);
      await webhooks.put(ended, 0);
      expect(await take(harness)).toEqual([{ ...ended, attempt: 1 }]);
    });

    it("finds what is due to one receiver between what is due to another", async () => {
      const harness = await opened(open);
      const { webhooks } = harness.state;
      const putMany = (of: string) =>
        Promise.all(
          Array.from({ length: 20 }, (_, at) => webhooks.put({ ...ended, id: `evt_${of}_${at}`, receiver: "two" }, 0)),
        );
      await putMany("before");
      await harness.elapse(2);
      await webhooks.put(ended, 0);
      await harness.elapse(2);
      await putMany("after");
      expect(await take(harness)).toEqual([{ ...ended, attempt: 1 }]);
    });

    it("keeps the body that was found for the next attempt, unless the delivery was taken back or taken again", async () => {
      const harness = await opened(open);
      const { webhooks } = harness.state;
      const body = '{"found":"later"}';
      await webhooks.put({ ...ended, body: undefined }, 0);
      const [first] = await take(harness, 50);
      await harness.elapse(100);
      const [second] = await take(harness, harness.lasting(1000));
      if (first === undefined || second === undefined) throw new Error("there was nothing to take");
      expect([await webhooks.keepBody(first, "{}"), await webhooks.keepBody(second, body)]).toEqual([false, true]);
      expect(await take(harness)).toEqual([]);
      await harness.elapse(1050);
      const [third] = await take(harness, 50);
      expect(third).toMatchObject({ body, attempt: 3 });
      await webhooks.forgetSession("session-1");
      expect(await webhooks.keepBody(third ?? second, body)).toBe(false);
      await harness.elapse(100);
      expect(await take(harness)).toEqual([]);
    });

    it("gives what has happened sooner than what may yet happen, and leaves alone what has its body", async () => {
      const harness = await opened(open);
      const { webhooks } = harness.state;
      await webhooks.put({ ...ended, body: undefined }, 60_000);
      await webhooks.hasten(ended, 90_000);
      await webhooks.hasten(ended, harness.lasting(1000));
      const soon = { ...ended, id: "evt_soon", body: undefined };
      await webhooks.put(soon, harness.lasting(1000));
      await webhooks.hasten(soon, 90_000);
      expect(await take(harness)).toEqual([]);
      await harness.elapse(1050);
      const taken = await take(harness);
      expect(taken).toHaveLength(2);
      for (const delivery of [{ ...ended, body: undefined }, soon])
        expect(taken).toContainEqual({ ...delivery, attempt: 1 });
      await webhooks.put({ ...ended, id: "evt_2" }, 60_000);
      await webhooks.hasten({ ...ended, id: "evt_2" }, 0);
      await webhooks.hasten({ ...ended, id: "evt_3" }, 0);
      await harness.elapse(50);
      expect(await take(harness)).toEqual([]);
    });

    it("does not hasten what somebody has", async () => {
      const harness = await opened(open);
      const { webhooks } = harness.state;
      await webhooks.put({ ...ended, body: undefined }, 0);
      const [taken] = await take(harness);
      await webhooks.hasten(ended, 0);
      await harness.elapse(50);
      expect(await take(harness)).toEqual([]);
      if (taken !== undefined) await webhooks.postpone(taken, 60_000);
      await webhooks.hasten(ended, 0);
      await harness.elapse(50);
      expect(await take(harness)).toMatchObject([{ id: ended.id, attempt: 2 }]);
    });

    it("waits with what may yet happen, and takes the body as soon as it has happened", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put({ ...ended, body: undefined }, 30_000);
      await harness.state.webhooks.put({ ...ended, body: undefined }, 0);
      expect(await take(harness)).toEqual([]);
      await harness.state.webhooks.put(ended, 0);
      expect(await take(harness)).toEqual([{ ...ended, attempt: 1 }]);
    });

    it("gives nobody a delivery that somebody has, although it is put there again", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      const [taken] = await take(harness);
      await harness.state.webhooks.put({ ...ended, body: '{"of":"a repetition"}' }, 0);
      expect(await take(harness)).toEqual([]);
      if (taken !== undefined) await harness.state.webhooks.postpone(taken, 0);
      expect(await take(harness)).toEqual([{ ...ended, attempt: 2 }]);
    });

    it("asks again later for a delivery that failed, and never for one that is finished", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      const [first] = await take(harness);
      if (first !== undefined) await harness.state.webhooks.postpone(first, harness.lasting(1000));
      expect(await take(harness)).toEqual([]);
      await harness.elapse(1050);
      const [second] = await take(harness);
      expect(second?.attempt).toBe(2);
      if (second !== undefined) await harness.state.webhooks.finish(second);
      await harness.state.webhooks.put(ended, 0);
      expect(await take(harness)).toEqual([]);
    });

    it("listens only to whoever has taken it last", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      const [slow] = await take(harness, 50);
      await harness.elapse(100);
      const [quick] = await take(harness, harness.lasting(1000));
      if (slow === undefined || quick === undefined) throw new Error("there was nothing to take");
      await harness.state.webhooks.finish(slow);
      await harness.state.webhooks.postpone(slow, 0);
      expect(await take(harness)).toEqual([]);
      await harness.elapse(1050);
      expect(await take(harness)).toMatchObject([{ id: ended.id, attempt: 3 }]);
    });

    it("takes back what is open about a session, also while somebody has it", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      await harness.state.webhooks.put(other, 200);
      const [taken] = await take(harness, 50);
      await harness.state.webhooks.forgetSession("session-1");
      await harness.state.webhooks.forgetSession("session-3");
      if (taken !== undefined) await harness.state.webhooks.postpone(taken, 0);
      await harness.elapse(250);
      expect((await take(harness)).map(({ id }) => id)).toEqual([other.id]);
    });

    it("keeps what is for the archive although its session is deleted, because somebody may be writing it just now", async () => {
      const { state } = await opened(open);
      const toArchive = { id: "arc_1", sessionId: "session-1", createdAtMs: 1, storedAtMs: 2 };
      await Promise.all([state.webhooks.put(ended, 0), state.toArchive.put(toArchive, 0)]);
      for (const mark of ["ada", undefined]) await state.webhooks.forgetSession("session-1", mark);
      expect(await state.webhooks.take("one", 10, leaseMs)).toEqual([]);
      expect(await state.toArchive.take(10, leaseMs)).toEqual([{ ...toArchive, attempt: 1 }]);
    });

    it("[WEBHOOK-11] knows how much waits in each lane, and for how long, until it is done or withdrawn", async () => {
      const harness = await opened(open);
      const { webhooks, toArchive, backlog } = harness.state;
      const counts = async () =>
        Object.fromEntries([...(await backlog()).lanes].map(([lane, { count }]) => [lane, count]));
      expect(await backlog()).toEqual({ lanes: new Map(), isMore: false });
      await webhooks.put({ ...ended, body: undefined }, leaseMs);
      await harness.elapse(300);
      await Promise.all([webhooks.put(ended, 0), webhooks.put(other, 0)]);
      await toArchive.put({ id: "arc_1", sessionId: "session-1", createdAtMs: 1, storedAtMs: 2 }, leaseMs);
      for (const taken of await take(harness)) await webhooks.postpone(taken, 0);
      expect(await counts()).toEqual({ one: 2, archive: 1 });
      const { lanes } = await backlog();
      expect(lanes.get("one")?.longestMs).toBeGreaterThanOrEqual(299);
      expect(lanes.get("one")?.longestMs).toBeGreaterThan(lanes.get("archive")?.longestMs ?? Infinity);
      await webhooks.forgetSession("session-1");
      expect(await counts()).toEqual({ one: 1, archive: 1 });
      for (const taken of await take(harness)) await webhooks.finish(taken);
      expect(await counts()).toEqual({ archive: 1 });
    });

    it("[WEBHOOK-7] takes back what is of one owner, and what nobody knows to be another's", async () => {
      const { state } = await opened(open);
      const ofAda = { ...ended, ownerMark: "ada" };
      for (const delivery of [ofAda, { ...ended, id: "evt_bob", ownerMark: "bob" }, { ...ended, id: "evt_older" }])
        await state.webhooks.put(delivery, 0);
      await state.webhooks.forgetSession("session-1", "ada");
      const left = await state.webhooks.take("one", 10, leaseMs);
      expect(left).toEqual([{ ...ended, id: "evt_bob", ownerMark: "bob", attempt: 1 }]);
      await state.webhooks.put(ofAda, 0);
      await state.webhooks.forgetSession("session-1");
      expect(await state.webhooks.keepBody({ ...ofAda, id: "evt_bob", attempt: 1 }, "{}")).toBe(false);
      expect(await state.webhooks.take("one", 10, leaseMs)).toEqual([]);
    });
  });
}
