/** How often each client may do something in an hour, as this process has counted it. */
import type { Clock } from "./clock.ts";

export const hourMs = 3_600_000;
/** Beyond it the client that came first is forgotten: a quota must not be what fills the memory. */
const maxClients = 10_000;

export class HourlyQuota {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #clients = new Map<string, { sinceMs: number; count: number }>();

  /** The limit is asked for anew each time: settings may change. */
  constructor(limit: () => number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts one more; or says how long to wait, where the client's hour is used up. */
  take(client: string): { readonly retryAfterMs: number } | undefined {
    const nowMs = this.#clock.now();
    const used = this.#clients.get(client);
    if (used === undefined || nowMs - used.sinceMs >= hourMs) {
      this.#clients.delete(client);
      this.#clients.set(client, { sinceMs: nowMs, count: 1 });
      const [oldest] = this.#clients.keys();
      if (this.#clients.size > maxClients && oldest !== undefined) this.#clients.delete(oldest);
      return undefined;
    }
    if (used.count >= this.#limit()) return { retryAfterMs: used.sinceMs + hourMs - nowMs };
    used.count += 1;
    return undefined;
  }

  /** Somebody else has counted, and the client's hour is used up. */
  useUp(client: string, retryAfterMs: number): void {
    this.#clients.delete(client);
    this.#clients.set(client, { sinceMs: this.#clock.now() + retryAfterMs - hourMs, count: Number.POSITIVE_INFINITY });
  }
}
