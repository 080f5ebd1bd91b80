import type { Clock } from "../../platform/clock.ts";
import type { Holders } from "../ports/holders.ts";

export class MemoryHolders implements Holders {
  readonly #clock: Clock;
  /** By key: until when each holder has it. */
  readonly #held = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async hold(
    key: string,
    holder: string,
    { limit, forMs }: { readonly limit: number; readonly forMs: number },
  ): Promise<boolean> {
    const held = this.#heldNow(key);
    if (!held.has(holder) && held.size >= limit) return false;
    held.set(holder, this.#clock.wallNow() + forMs);
    this.#held.set(key, held);
    return true;
  }

  async shorten(key: string, holder: string, toMs: number): Promise<void> {
    const untilMs = this.#heldNow(key).get(holder);
    if (untilMs !== undefined) this.#held.get(key)?.set(holder, Math.min(untilMs, this.#clock.wallNow() + toMs));
  }

  async of(key: string): Promise<readonly string[]> {
    return [...this.#heldNow(key).keys()];
  }

  async release(key: string, holders: readonly string[]): Promise<void> {
    const held = this.#heldNow(key);
    for (const holder of holders) held.delete(holder);
    if (held.size === 0) this.#held.delete(key);
  }

  #heldNow(key: string): Map<string, number> {
    const held = this.#held.get(key) ?? new Map<string, number>();
    const nowMs = this.#clock.wallNow();
    for (const [holder, untilMs] of held) if (untilMs <= nowMs) held.delete(holder);
    return held;
  }
}
