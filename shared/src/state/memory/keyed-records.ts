import type { Clock } from "../../platform/clock.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { ExpiringMap } from "./expiring-map.ts";

export function createMemoryKeyedRecords(clock: Clock): KeyedRecords {
  const values = new ExpiringMap<Buffer>(clock);
  const counts = new ExpiringMap<{ count: number; readonly endsAtMs: number }>(clock);
  return {
    get: async (key) => values.get(key)?.toString(),
    getBytes: async (key) => values.get(key),
    put: async (key, value, lifeSpanMs) => values.set(key, Buffer.from(value), lifeSpanMs),
    async putIfAbsent(key, value, lifeSpanMs) {
      const present = values.get(key);
      if (present === undefined) values.set(key, Buffer.from(value), lifeSpanMs);
      return present?.toString();
    },
    async swap(key, current, next) {
      const present = values.get(key);
      if (present === undefined) return "gone";
      if (present.toString() !== current) return "changed";
      values.replace(key, Buffer.from(next));
      return "swapped";
    },
    async take(key) {
      const present = values.get(key);
      values.delete(key);
      return present?.toString();
    },
    async increment(key, lifeSpanMs, by) {
      const nowMs = clock.wallNow();
      const known = counts.get(key);
      if (known !== undefined) return { count: (known.count += by), endsInMs: known.endsAtMs - nowMs };
      counts.set(key, { count: by, endsAtMs: nowMs + lifeSpanMs }, lifeSpanMs);
      return { count: by, endsInMs: lifeSpanMs };
    },
    async delete(key) {
      values.delete(key);
      counts.delete(key);
    },
  };
}
