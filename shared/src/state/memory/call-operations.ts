import type { Clock } from "../../platform/clock.ts";
import { OutcomeWaiters } from "../outcome-waiters.ts";
import type {
  BegunOperation,
  CallOperation,
  CallOperations,
  OperationOutcome,
  OutcomeWait,
} from "../ports/call-operations.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryCallOperations implements CallOperations {
  readonly #clock: Clock;
  readonly #lifeSpanMs: number;
  readonly #begun: ExpiringMap<number>;
  readonly #outcomes: ExpiringMap<OperationOutcome>;
  readonly #waiters: OutcomeWaiters;

  constructor(clock: Clock, lifeSpanMs: number) {
    this.#clock = clock;
    this.#lifeSpanMs = lifeSpanMs;
    this.#begun = new ExpiringMap(clock);
    this.#outcomes = new ExpiringMap(clock);
    this.#waiters = new OutcomeWaiters(clock);
  }

  async begin(operation: CallOperation): Promise<BegunOperation> {
    const key = keyOf(operation);
    const begunAtMs = this.#begun.get(key);
    if (begunAtMs !== undefined) return { isNew: false, atMs: begunAtMs };
    const atMs = this.#clock.wallNow();
    this.#begun.set(key, atMs, this.#lifeSpanMs);
    return { isNew: true, atMs };
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
