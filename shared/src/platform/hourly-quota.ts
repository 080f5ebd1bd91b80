/** Limits how often each client may do something per hour, or how much of it, counted by this process. */
import type { Clock } from "./clock.ts";
import { hourMs } from "./day.ts";

/** Beyond this the oldest client is forgotten, so that the quota itself cannot fill the memory. */
const maxClients = 10_000;

export class HourlyQuota {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #clients = new Map<string, { sinceMs: number; count: number }>();

  /** The limit is read each time, because settings may change. */
  constructor(limit: () => number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts a use, or returns how long to wait if the client's quota is used up. */
  take(client: string, amount = 1): { readonly retryAfterMs: number } | undefined {
    const nowMs = this.#clock.now();
    const used = this.#clients.get(client);
    if (used === undefined || nowMs - used.sinceMs >= hourMs) {
      this.#clients.delete(client);
      this.#clients.set(client, { sinceMs: nowMs, count: amount });
      const [oldest] = this.#clients.keys();
      if (this.#clients.size > maxClients && oldest !== undefined) this.#clients.delete(oldest);
      return undefined;
    }
    if (used.count >= this.#limit()) return { retryAfterMs: used.sinceMs + hourMs - nowMs };
    used.count += amount;
    return undefined;
  }

  /** Records that the client's quota is used up according to another count. */
  useUp(client: string, retryAfterMs: number): void {
    this.#clients.delete(client);
    this.#clients.set(client, { sinceMs: this.#clock.now() + retryAfterMs - hourMs, count: Number.POSITIVE_INFINITY });
  }
}
