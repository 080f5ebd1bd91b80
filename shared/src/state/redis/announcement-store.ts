import type { AnnouncementStore } from "../ports/announcement-store.ts";
import type { RedisStoreOptions } from "./store-options.ts";

export class RedisAnnouncementStore implements AnnouncementStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async put(name: string, wav: Uint8Array, lifeSpanMs: number): Promise<void> {
    const { connections, keys } = this.#options;
    await connections.run((redis) => redis.set(keys.announcement(name), Buffer.from(wav), "PX", lifeSpanMs));
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const { connections, keys } = this.#options;
    return (await connections.run((redis) => redis.getBuffer(keys.announcement(name)))) ?? undefined;
  }
}
