/** This process's waiters for the outcomes of operations, by key. */
import type { Clock } from "../platform/clock.ts";
import type { OperationOutcome, OutcomeWait } from "./ports/call-operations.ts";

type Listener = (outcome: OperationOutcome | undefined) => void;

export class OutcomeWaiters {
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get keys(): readonly string[] {
    return [...this.#listeners.keys()];
  }

  has(key: string): boolean {
    return this.#listeners.has(key);
  }

  /** Undefined if the time is over, the signal is aborted, or all waiting is ended. */
  wait(key: string, { timeoutMs, signal }: OutcomeWait): Promise<OperationOutcome | undefined> {
    if (signal?.aborted === true) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<OperationOutcome | undefined>();
    const listeners = this.#listeners.get(key) ?? new Set();
    const finish: Listener = (outcome) => {
      cancelTimer();
      signal?.removeEventListener("abort", stop);
      listeners.delete(finish);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
      resolve(outcome);
    };
    const stop = (): void => finish(undefined);
    const cancelTimer = this.#clock.setTimer(Math.max(0, timeoutMs), stop);
    signal?.addEventListener("abort", stop, { once: true });
    this.#listeners.set(key, listeners.add(finish));
    return promise;
  }

  tell(key: string, outcome: OperationOutcome): void {
    for (const finish of this.#listeners.get(key) ?? []) finish(outcome);
  }

  /** Ends all waiting. */
  stop(): void {
    for (const listeners of this.#listeners.values()) for (const finish of listeners) finish(undefined);
  }
}
