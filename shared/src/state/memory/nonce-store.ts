import type { Clock } from "../../platform/clock.ts";
import type { NonceStore } from "../ports/nonce-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryNonceStore implements NonceStore {
  readonly #claimed: ExpiringMap<true>;

  constructor(clock: Clock) {
    this.#claimed = new ExpiringMap(clock);
  }

  async claim(nonce: string, lifeSpanMs: number): Promise<boolean> {
    if (this.#claimed.get(nonce) !== undefined) return false;
    this.#claimed.set(nonce, true, lifeSpanMs);
    return true;
  }
}
