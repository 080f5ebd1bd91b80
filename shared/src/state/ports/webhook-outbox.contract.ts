import { describe, expect, it } from "vitest";
import { opened, type OpenState, type StateHarness } from "./harness.contract.ts";
import type { TakenDelivery, WebhookDelivery } from "./webhook-outbox.ts";

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

export function describeWebhookOutbox(open: OpenState): void {
  describe("webhook outbox", () => {
    const take = ({ state }: StateHarness, forMs = leaseMs): Promise<readonly TakenDelivery[]> =>
      state.webhooks.take(10, forMs);

    it("gives a delivery to one of those who ask, and to the next when its lease is over", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      const taken = await Promise.all([take(harness, 300), take(harness, 300)]);
      expect(taken.flat()).toEqual([{ ...ended, attempt: 1 }]);
      await harness.elapse(350);
      expect(await take(harness)).toEqual([{ ...ended, attempt: 2 }]);
    });

    it("has a delivery for each receiver, and gives no more than are asked for", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      await harness.state.webhooks.put({ ...ended, receiver: "two" }, 0);
      const first = await harness.state.webhooks.take(1, leaseMs);
      const second = await take(harness);
      expect([...first, ...second].map(({ receiver }) => receiver).toSorted()).toEqual(["one", "two"]);
    });

    it("waits with what may yet happen, and takes the body as soon as it has happened", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put({ ...ended, body: undefined }, 30_000);
      await harness.state.webhooks.put({ ...ended, body: undefined }, 0);
      expect(await take(harness)).toEqual([]);
      await harness.state.webhooks.put(ended, 0);
      expect(await take(harness)).toEqual([{ ...ended, attempt: 1 }]);
    });

    it("asks again later for a delivery that failed, and never for one that is finished", async () => {
      const harness = await opened(open);
      await harness.state.webhooks.put(ended, 0);
      const [first] = await take(harness);
      if (first !== undefined) await harness.state.webhooks.postpone(first, 300);
      expect(await take(harness)).toEqual([]);
      await harness.elapse(350);
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
      const [quick] = await take(harness, 300);
      if (slow === undefined || quick === undefined) throw new Error("there was nothing to take");
      await harness.state.webhooks.finish(slow);
      await harness.state.webhooks.postpone(slow, 0);
      expect(await take(harness)).toEqual([]);
      await harness.elapse(350);
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
  });
}
