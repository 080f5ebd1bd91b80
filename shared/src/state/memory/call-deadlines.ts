import type { Clock } from "../../platform/clock.ts";
import type { CallDeadlines, CallHold } from "../ports/call-deadlines.ts";

interface Deadline {
  readonly dueAtMs: number;
  readonly holder: string | undefined;
}

export class MemoryCallDeadlines implements CallDeadlines {
  readonly #clock: Clock;
  readonly #deadlines = new Map<string, Deadline>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async hold({ callId, holder }: CallHold, forMs: number): Promise<void> {
    this.#put(callId, forMs, holder);
  }

  async renew(holds: readonly CallHold[], forMs: number): Promise<void> {
    for (const { callId, holder } of holds) {
      const known = this.#deadlines.get(callId);
      if (known === undefined || known.holder === holder) this.#put(callId, forMs, holder);
    }
  }

  async release({ callId, holder }: CallHold, dueInMs: number): Promise<void> {
    if (this.#deadlines.get(callId)?.holder === holder) this.#put(callId, dueInMs);
  }

  async expect(callId: string, dueInMs: number): Promise<void> {
    if (!this.#deadlines.has(callId)) this.#put(callId, dueInMs);
  }

  async set(callId: string, dueInMs: number): Promise<void> {
    this.#put(callId, dueInMs);
  }

  async holderOf(callId: string): Promise<string | undefined> {
    return this.#deadlines.get(callId)?.holder;
  }

  async takeOverdue(againInMs: number, limit: number): Promise<readonly string[]> {
    const nowMs = this.#clock.wallNow();
    const overdue = [...this.#deadlines]
      .filter(([, { dueAtMs }]) => dueAtMs <= nowMs)
      .toSorted(([, a], [, b]) => a.dueAtMs - b.dueAtMs)
      .slice(0, limit)
      .map(([callId]) => callId);
    for (const callId of overdue) this.#put(callId, againInMs);
    return overdue;
  }

  async forget(callId: string): Promise<void> {
    this.#deadlines.delete(callId);
  }

  #put(callId: string, dueInMs: number, holder?: string): void {
    this.#deadlines.set(callId, { dueAtMs: this.#clock.wallNow() + dueInMs, holder });
  }
}
