import type { Clock } from "../../platform/clock.ts";
import { createOutcomeWaiters } from "../outcome-waiters.ts";
import type { CallOperation, CallOperations, OperationOutcome } from "../ports/call-operations.ts";
import { ExpiringMap } from "./expiring-map.ts";

export function createMemoryCallOperations(
  clock: Clock,
  lifeSpanMs: number,
): CallOperations & { readonly close: () => void } {
  const begun = new ExpiringMap<number>(clock);
  const outcomes = new ExpiringMap<OperationOutcome>(clock);
  const waiters = createOutcomeWaiters(clock);
  return {
    async begin(operation) {
      const key = keyOf(operation);
      const begunAtMs = begun.get(key);
      if (begunAtMs !== undefined) return { isNew: false, atMs: begunAtMs };
      const atMs = clock.wallNow();
      begun.set(key, atMs, lifeSpanMs);
      return { isNew: true, atMs };
    },
    async settle(operation, outcome) {
      const key = keyOf(operation);
      const standing = outcomes.get(key);
      if (standing !== undefined) return standing;
      outcomes.set(key, outcome, lifeSpanMs);
      waiters.tell(key, outcome);
      return outcome;
    },
    find: async (operation) => outcomes.get(keyOf(operation)),
    async outcome(operation, wait) {
      const key = keyOf(operation);
      return outcomes.get(key) ?? waiters.wait(key, wait);
    },
    close: () => waiters.stop(),
  };
}

function keyOf({ callId, operationContext }: CallOperation): string {
  return JSON.stringify([callId, operationContext]);
}
