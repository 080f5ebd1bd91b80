import type { Clock } from "../../platform/clock.ts";
import type { Count, KeyedRecords } from "../ports/keyed-records.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryKeyedRecords implements KeyedRecords {
  readonly #clock: Clock;
  readonly #values: ExpiringMap<Buffer>;
  readonly #counts: ExpiringMap<{ count: number; readonly endsAtMs: number }>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#values = new ExpiringMap(clock);
    this.#counts = new ExpiringMap(clock);
  }

  async get(key: string): Promise<string | undefined> {
    return this.#values.get(key)?.toString();
  }

  async getBytes(key: string): Promise<Uint8Array | undefined> {
    return this.#values.get(key);
  }

  async put(key: string, value: string | Uint8Array, lifeSpanMs: number): Promise<void> {
    this.#values.set(key, Buffer.from(value), lifeSpanMs);
  }

  async putIfAbsent(key: string, value: string, lifeSpanMs: number): Promise<string | undefined> {
    const present = this.#values.get(key);
    if (present === undefined) this.#values.set(key, Buffer.from(value), lifeSpanMs);
    return present?.toString();
  }

  async swap(key: string, current: string, next: string): Promise<"swapped" | "changed" | "gone"> {
    const present = this.#values.get(key);
    if (present === undefined) return "gone";
    if (present.toString() !== current) return "changed";
    this.#values.replace(key, Buffer.from(next));
    return "swapped";
  }

  async take(key: string): Promise<string | undefined> {
    const present = this.#values.get(key);
    this.#values.delete(key);
    return present?.toString();
  }

  async increment(key: string, lifeSpanMs: number, by: number): Promise<Count> {
    const nowMs = this.#clock.wallNow();
    const known = this.#counts.get(key);
    if (known !== undefined) return { count: (known.count += by), endsInMs: known.endsAtMs - nowMs };
    this.#counts.set(key, { count: by, endsAtMs: nowMs + lifeSpanMs }, lifeSpanMs);
    return { count: by, endsInMs: lifeSpanMs };
  }

  async delete(key: string): Promise<void> {
    this.#values.delete(key);
    this.#counts.delete(key);
  }
}
