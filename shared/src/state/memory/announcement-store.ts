import type { Clock } from "../../platform/clock.ts";
import type { AnnouncementStore } from "../ports/announcement-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryAnnouncementStore implements AnnouncementStore {
  readonly #files: ExpiringMap<Uint8Array>;

  constructor(clock: Clock) {
    this.#files = new ExpiringMap(clock);
  }

  async put(name: string, wav: Uint8Array, lifeSpanMs: number): Promise<void> {
    this.#files.set(name, wav, lifeSpanMs);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return this.#files.get(name);
  }
}
