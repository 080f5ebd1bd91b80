import type { Clock } from "../../platform/clock.ts";
import type { FileStore } from "../ports/file-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryFileStore implements FileStore {
  readonly #files: ExpiringMap<Uint8Array>;

  constructor(clock: Clock) {
    this.#files = new ExpiringMap(clock);
  }

  async put(name: string, bytes: Uint8Array, lifeSpanMs: number): Promise<void> {
    this.#files.set(name, bytes, lifeSpanMs);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return this.#files.get(name);
  }
}
