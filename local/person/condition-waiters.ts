/** Promises that resolve when a condition comes true. Code that changes the state behind the conditions calls `settle`. */
import type { Clock } from "@voice/shared/platform/clock";

type Condition = (nowMs: number) => boolean;

interface Waiter {
  readonly isOver: Condition;
  resolve(): void;
  reject(error: Error): void;
}

export class ConditionWaiters {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  #failure: Error | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects once `fail` was called, unless the condition is true already. */
  until(isOver: Condition): Promise<void> {
    return new Promise((resolve, reject) => {
      if (isOver(this.#clock.now())) resolve();
      else if (this.#failure === undefined) this.#waiters.add({ isOver, resolve, reject });
      else reject(this.#failure);
    });
  }

  settle(): void {
    const nowMs = this.#clock.now();
    for (const waiter of this.#waiters) {
      if (!waiter.isOver(nowMs)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  /** Nothing will change any more: current and later waits reject with the reason. The first reason counts. */
  fail(error: Error): void {
    this.settle();
    this.#failure ??= error;
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters.clear();
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
