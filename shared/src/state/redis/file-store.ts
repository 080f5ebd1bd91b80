import type { FileStore } from "../ports/file-store.ts";
import type { RedisStoreOptions } from "./store-options.ts";

export class RedisFileStore implements FileStore {
  readonly #connections: RedisStoreOptions["connections"];
  readonly #keyOf: (name: string) => string;

  constructor({ connections }: Pick<RedisStoreOptions, "connections">, keyOf: (name: string) => string) {
    this.#connections = connections;
    this.#keyOf = keyOf;
  }

  async put(name: string, bytes: Uint8Array, lifeSpanMs: number): Promise<void> {
    await this.#connections.run((redis) => redis.set(this.#keyOf(name), Buffer.from(bytes), "PX", lifeSpanMs));
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return (await this.#connections.run((redis) => redis.getBuffer(this.#keyOf(name)))) ?? undefined;
  }
}
