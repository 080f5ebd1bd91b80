import type { Clock } from "../../platform/clock.ts";
import { OutcomeWaiters } from "../outcome-waiters.ts";
import type { CallOperation, CallOperations, OperationOutcome, OutcomeWait } from "../ports/call-operations.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryCallOperations implements CallOperations {
  readonly #lifeSpanMs: number;
  readonly #begun: ExpiringMap<true>;
  readonly #outcomes: ExpiringMap<OperationOutcome>;
  readonly #waiters: OutcomeWaiters;

  constructor(clock: Clock, lifeSpanMs: number) {
    this.#lifeSpanMs = lifeSpanMs;
    this.#begun = new ExpiringMap(clock);
    this.#outcomes = new ExpiringMap(clock);
    this.#waiters = new OutcomeWaiters(clock);
  }

  async begin(operation: CallOperation): Promise<boolean> {
    const key = keyOf(operation);
    if (this.#begun.has(key)) return false;
    this.#begun.set(key, true, this.#lifeSpanMs);
    return true;
  }

  async settle(operation: CallOperation, outcome: OperationOutcome): Promise<OperationOutcome> {
    const key = keyOf(operation);
    const standing = this.#outcomes.get(key);
    if (standing !== undefined) return standing;
    this.#outcomes.set(key, outcome, this.#lifeSpanMs);
    this.#waiters.tell(key, outcome);
    return outcome;
  }

  async find(operation: CallOperation): Promise<OperationOutcome | undefined> {
    return this.#outcomes.get(keyOf(operation));
  }

  async outcome(operation: CallOperation, wait: OutcomeWait): Promise<OperationOutcome | undefined> {
    const key = keyOf(operation);
    return this.#outcomes.get(key) ?? this.#waiters.wait(key, wait);
  }

  close(): void {
    this.#waiters.stop();
  }
}

function keyOf({ callId, operationContext }: CallOperation): string {
  return JSON.stringify([callId, operationContext]);
}
