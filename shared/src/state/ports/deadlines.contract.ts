/** Pieces of work without a content. */
import { describe, expect, it } from "vitest";
import { opened, until, type OpenState } from "./harness.contract.ts";
import type { Deadlines } from "./work-queue.ts";

const first = { id: "call-1", holder: "host-1" };
const second = { id: "call-1", holder: "host-2" };
const againInMs = 60_000;

export function describeDeadlines(open: OpenState): void {
  describe("work queue: deadlines", () => {
    async function deadlines() {
      const { state, elapse, lasting } = await opened(open);
      return { deadlines: state.callStreams, elapse, lasting };
    }

    const take = (of: Deadlines): Promise<readonly string[]> => of.take({ leaseMs: againInMs, limit: 10 });

    it("gives a call that nobody looks after to one of those who ask, and again later", async () => {
      const { deadlines: due, elapse, lasting } = await deadlines();
      await due.expect("call-1", lasting(700));
      expect(await take(due)).toEqual([]);
      await elapse(750);
      expect(await due.take({ leaseMs: 100, limit: 0 })).toEqual([]);
      const order = { leaseMs: lasting(100), limit: 10 };
      const taken = await Promise.all([due.take(order), due.take(order)]);
      expect(taken.flat()).toEqual(["call-1"]);
      await elapse(150);
      expect(await take(due)).toEqual(["call-1"]);
    });

    it("gives the call first that has waited longest", async () => {
      const { deadlines: due, elapse, lasting } = await deadlines();
      await due.set("call-later", lasting(1500));
      await due.set("call-sooner", 5);
      await elapse(1550);
      expect(await due.take({ leaseMs: againInMs, limit: 1 })).toEqual(["call-sooner"]);
      expect(await due.take({ leaseMs: againInMs, limit: 1 })).toEqual(["call-later"]);
    });

    it("gives no call away whose holder pushes the deadline back, and does when the holder stops", async () => {
      const harness = await opened(open);
      const due = harness.state.callStreams;
      await due.hold(first, harness.lasting(1200));
      for (let renewals = 0; renewals < 4; renewals++) {
        await harness.elapse(300);
        await due.renew([first], harness.lasting(1200));
        expect(await take(due)).toEqual([]);
      }
      expect(await due.holderOf("call-1")).toBe("host-1");
      let taken: readonly string[] = [];
      await harness.elapse(1250);
      taken = await take(due);
      await until(harness, () => taken.length === 1, "the call is overdue");
      expect(await due.holderOf("call-1")).toBeUndefined();
    });

    it("listens to the newest holder only", async () => {
      const { deadlines: due, elapse } = await deadlines();
      await due.hold(first, 50);
      await due.hold(second, 60_000);
      await due.release(first, 0);
      await due.renew([first], 0);
      await elapse(100);
      expect(await take(due)).toEqual([]);
      expect(await due.holderOf("call-1")).toBe("host-2");
      await due.release(second, 50);
      await due.renew([second], 60_000);
      await elapse(100);
      expect(await take(due)).toEqual(["call-1"]);
    });

    it("tells a holder which of its calls it has no more, and makes nobody the holder of a call that another one has", async () => {
      const { deadlines: due } = await deadlines();
      await due.hold(first, 60_000);
      expect(await due.renew([first, second], 60_000)).toEqual([second]);
      expect([await due.claim(second, 60_000), await due.claim(first, 60_000)]).toEqual([false, true]);
      await due.set("call-1", 60_000);
      expect(await due.renew([first], 60_000)).toEqual([first]);
      expect(await due.holderOf("call-1")).toBeUndefined();
      expect([await due.claim(second, 60_000), await due.claim(first, 60_000)]).toEqual([true, false]);
      expect(await due.holderOf("call-1")).toBe("host-2");
    });

    it("takes a call away only from a holder that has not renewed its lease since, however soon it does", async () => {
      const { deadlines: due, elapse } = await deadlines();
      expect(await due.leaseOf("call-1")).toBeUndefined();
      await due.set("call-1", 60_000);
      expect(await due.leaseOf("call-1")).toBeUndefined();
      await due.hold(first, 60_000);
      const renewed = await due.leaseOf("call-1");
      await due.renew([first], 60_000);
      const replaced = await due.leaseOf("call-1");
      await due.hold(second, 60_000);
      const lease = await due.leaseOf("call-1");
      if (renewed === undefined || replaced === undefined || lease === undefined) throw new Error("nobody has it");
      expect(lease).toMatchObject(second);
      expect(lease.lastsMs).toBeGreaterThan(55_000);
      expect(lease.lastsMs).toBeLessThanOrEqual(60_000);
      expect([await due.revoke(renewed, 0), await due.revoke(replaced, 0)]).toEqual([false, false]);
      expect(await due.holderOf("call-1")).toBe("host-2");
      expect([await due.revoke(lease, 20), await due.revoke(lease, 20)]).toEqual([true, false]);
      expect(await due.holderOf("call-1")).toBeUndefined();
      expect(await due.renew([second], 60_000)).toEqual([second]);
      await elapse(100);
      expect(await take(due)).toEqual(["call-1"]);
    });

    it("keeps the deadline that there is when one is only expected, and takes a new one that is set", async () => {
      const { deadlines: due, elapse } = await deadlines();
      await due.hold(first, 60_000);
      await due.expect("call-1", 0);
      await elapse(50);
      expect(await take(due)).toEqual([]);
      await due.set("call-1", 0);
      await elapse(50);
      expect(await take(due)).toEqual(["call-1"]);
    });

    it("forgets a call, and takes one on again that was lost with the store's data", async () => {
      const { deadlines: due, elapse } = await deadlines();
      await due.hold(first, 50);
      await due.forget("call-1");
      await elapse(100);
      expect(await take(due)).toEqual([]);
      await due.renew([first], 60_000);
      expect(await due.holderOf("call-1")).toBe("host-1");
    });

    it("renews the leases of all calls that a host has at once, and of no other host's", async () => {
      const { deadlines: due, elapse } = await deadlines();
      const [own, others] = [
        { id: "call-2", holder: "host-1" },
        { id: "call-3", holder: "host-2" },
      ];
      for (const hold of [first, own, others]) await due.hold(hold, 50);
      await due.renew([first, own, { ...others, holder: "host-1" }], 60_000);
      await elapse(100);
      expect(await take(due)).toEqual(["call-3"]);
    });

    it("forgets a call that nobody has taken for as long as a call is remembered, and none that is due since", async () => {
      const { state, elapse } = await opened(open, { callMs: 1000 });
      const due = state.callStreams;
      await due.set("call-1", 0);
      await elapse(700);
      await due.set("call-2", 0);
      await elapse(500);
      expect(await take(due)).toEqual(["call-2"]);
    });
  });
}
