import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";

const transfer = { callId: "call-1", operationContext: "transfer:1" };
const busy = { ok: false, reason: "busy" } as const;
const done = { ok: true } as const;
/** Longer than a test may last, so that an implementation that answers only at the deadline fails. */
const patient = { timeoutMs: 600_000 };

export function describeCallOperations(open: OpenState): void {
  describe("call operations", () => {
    it("[EFFECT-1] are begun by one of many", async () => {
      const { callOperations } = (await opened(open)).state;
      const begun = await Promise.all([1, 2, 3].map(() => callOperations.begin(transfer)));
      const first = begun.filter(({ isNew }) => isNew);
      expect(first).toHaveLength(1);
      expect(await callOperations.begin(transfer)).toEqual({ isNew: false, atMs: first[0]?.atMs });
      expect(await callOperations.begin({ ...transfer, callId: "call-2" })).toMatchObject({ isNew: true });
      expect(await callOperations.begin({ ...transfer, operationContext: "transfer:2" })).toMatchObject({
        isNew: true,
      });
    });

    it("end once: the first outcome stands", async () => {
      const { callOperations } = (await opened(open)).state;
      expect(await callOperations.find(transfer)).toBeUndefined();
      expect(await callOperations.settle(transfer, busy)).toEqual(busy);
      expect(await callOperations.settle(transfer, done)).toEqual(busy);
      expect(await callOperations.find(transfer)).toEqual(busy);
    });

    it("tell everybody who waits, and nobody who waits for something else", async () => {
      const harness = await opened(open);
      const { callOperations } = harness.state;
      const waiting = [callOperations.outcome(transfer, patient), callOperations.outcome(transfer, patient)];
      const other = callOperations.outcome({ ...transfer, callId: "call-2" }, { timeoutMs: 200 });
      // Once this one is known, all have looked and found nothing, so that the outcome has to be told.
      const before = { ...transfer, callId: "call-3" };
      const known = callOperations.outcome(before, patient);
      await callOperations.settle(before, done);
      expect(await known).toEqual(done);
      await callOperations.settle(transfer, done);
      expect(await Promise.all(waiting)).toEqual([done, done]);
      await harness.elapse(300);
      expect(await other).toBeUndefined();
    });

    it("[TAKE-5] tell an outcome that came before anybody asked", async () => {
      const { callOperations } = (await opened(open)).state;
      await callOperations.settle(transfer, busy);
      expect(await callOperations.outcome(transfer, patient)).toEqual(busy);
    });

    it("have no outcome when the time is over or the wait is aborted, and can be awaited again", async () => {
      const harness = await opened(open);
      const { callOperations } = harness.state;
      const leaving = new AbortController();
      const waiting = [
        callOperations.outcome(transfer, { timeoutMs: 100 }),
        callOperations.outcome(transfer, { ...patient, signal: leaving.signal }),
      ];
      leaving.abort();
      await harness.elapse(200);
      expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
      expect(await callOperations.outcome(transfer, { ...patient, signal: leaving.signal })).toBeUndefined();
      const again = callOperations.outcome(transfer, patient);
      await callOperations.settle(transfer, done);
      expect(await again).toEqual(done);
    });

    it("are forgotten with the life span of calls", async () => {
      const harness = await opened(open, { callMs: 1000 });
      const { callOperations } = harness.state;
      await callOperations.begin(transfer);
      await callOperations.settle(transfer, done);
      await harness.elapse(1200);
      expect(await callOperations.find(transfer)).toBeUndefined();
      expect(await callOperations.begin(transfer)).toMatchObject({ isNew: true });
    });

    it("keep nobody waiting when the state is closed", async () => {
      const harness = await opened(open);
      const waiting = harness.state.callOperations.outcome(transfer, patient);
      await harness.state.close();
      expect(await waiting).toBeUndefined();
    });
  });
}
