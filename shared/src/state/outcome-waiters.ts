/** This process's waiters for the outcomes of operations, by key. */
import type { Clock } from "../platform/clock.ts";
import type { OperationOutcome, OutcomeWait } from "./ports/call-operations.ts";

type Listener = (outcome: OperationOutcome | undefined) => void;

export function createOutcomeWaiters(clock: Clock) {
  const byKey = new Map<string, Set<Listener>>();
  return {
    keys: (): readonly string[] => [...byKey.keys()],
    has: (key: string): boolean => byKey.has(key),
    /** Undefined if the time is over, the signal is aborted, or all waiting is ended. */
    wait(key: string, { timeoutMs, signal }: OutcomeWait): Promise<OperationOutcome | undefined> {
      if (signal?.aborted === true) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<OperationOutcome | undefined>();
      const listeners = byKey.get(key) ?? new Set();
      const finish: Listener = (outcome) => {
        cancelTimer();
        signal?.removeEventListener("abort", stop);
        listeners.delete(finish);
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
        resolve(outcome);
      };
      const stop = (): void => finish(undefined);
      const cancelTimer = clock.setTimer(Math.max(0, timeoutMs), stop);
      signal?.addEventListener("abort", stop, { once: true });
      byKey.set(key, listeners.add(finish));
      return promise;
    },
    tell(key: string, outcome: OperationOutcome): void {
      for (const finish of byKey.get(key) ?? []) finish(outcome);
    },
    /** Ends all waiting. */
    stop(): void {
      for (const listeners of byKey.values()) for (const finish of listeners) finish(undefined);
    },
  };
}
