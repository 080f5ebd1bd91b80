import type { Clock } from "../../platform/clock.ts";
import type { CallPlaces } from "../ports/call-places.ts";

export class MemoryCallPlaces implements CallPlaces {
  readonly #clock: Clock;
  /** Until when, by call. */
  readonly #places = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async keep(callId: string, { free, forMs }: { readonly free: number; readonly forMs: number }): Promise<boolean> {
    this.#forgetOld();
    if (!this.#places.has(callId) && this.#places.size >= free) return false;
    this.#places.set(callId, this.#clock.wallNow() + forMs);
    return true;
  }

  async giveBack(callId: string, inMs: number): Promise<void> {
    const untilMs = this.#places.get(callId);
    if (untilMs !== undefined) this.#places.set(callId, Math.min(untilMs, this.#clock.wallNow() + inMs));
  }

  async kept(): Promise<number> {
    this.#forgetOld();
    return this.#places.size;
  }

  #forgetOld(): void {
    const nowMs = this.#clock.wallNow();
    for (const [callId, untilMs] of this.#places) if (untilMs <= nowMs) this.#places.delete(callId);
  }
}
