import { describe, expect, it } from "vitest";
import type { CallDeadlines } from "./call-deadlines.ts";
import { opened, until, type OpenState } from "./harness.contract.ts";

const first = { callId: "call-1", holder: "host-1" };
const second = { callId: "call-1", holder: "host-2" };
const againInMs = 60_000;

export function describeCallDeadlines(open: OpenState): void {
  describe("call deadlines", () => {
    async function deadlines() {
      const { state, elapse, lasting } = await opened(open);
      return { deadlines: state.callStreams, elapse, lasting };
    }

    const take = (of: CallDeadlines): Promise<readonly string[]> => of.takeOverdue(againInMs, 10);

    it("gives a call that nobody looks after to one of those who ask, and again later", async () => {
      const { deadlines: due, elapse, lasting } = await deadlines();
      await due.expect("call-1", lasting(700));
      expect(await take(due)).toEqual([]);
      await elapse(750);
      expect(await due.takeOverdue(100, 0)).toEqual([]);
      const taken = await Promise.all([due.takeOverdue(lasting(100), 10), due.takeOverdue(lasting(100), 10)]);
      expect(taken.flat()).toEqual(["call-1"]);
      await elapse(150);
      expect(await take(due)).toEqual(["call-1"]);
    });

    it("gives the call first that has waited longest", async () => {
      const { deadlines: due, elapse } = await deadlines();
      await due.set("call-later", 40);
      await due.set("call-sooner", 5);
      await elapse(100);
      expect(await due.takeOverdue(againInMs, 1)).toEqual(["call-sooner"]);
      expect(await due.takeOverdue(againInMs, 1)).toEqual(["call-later"]);
    });

    it("gives no call away whose holder pushes the deadline back, and does when the holder stops", async () => {
      const harness = await opened(open);
      const due = harness.state.callStreams;
      await due.hold(first, harness.lasting(300));
      for (let renewals = 0; renewals < 4; renewals++) {
        await harness.elapse(100);
        await due.renew([first], harness.lasting(300));
        expect(await take(due)).toEqual([]);
      }
      expect(await due.holderOf("call-1")).toBe("host-1");
      let taken: readonly string[] = [];
      await harness.elapse(350);
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
  });
}
