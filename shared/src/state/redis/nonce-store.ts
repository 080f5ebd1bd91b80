import type { NonceStore } from "../ports/nonce-store.ts";
import type { RedisStoreOptions } from "./store-options.ts";

export class RedisNonceStore implements NonceStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async claim(nonce: string, lifeSpanMs: number): Promise<boolean> {
    const { connections, keys } = this.#options;
    const key = keys.nonce(nonce);
    return (await connections.run((redis) => redis.set(key, "1", "PX", Math.ceil(lifeSpanMs), "NX"))) === "OK";
  }
}
