import type { RecordGroups } from "../ports/record-groups.ts";
import type { ExpiringMap } from "./expiring-map.ts";

/** `groups`: by group, then by name. */
export function createMemoryRecordGroups(
  groups: ExpiringMap<ReadonlyMap<string, string>>,
  lifeSpanMs: number,
): RecordGroups {
  const recordsOf = (group: string) => groups.get(group) ?? new Map<string, string>();
  const write = (group: string, name: string, value: string): void =>
    groups.set(group, new Map(recordsOf(group)).set(name, value), lifeSpanMs);
  return {
    all: async (group) => [...recordsOf(group).values()],
    get: async (group, name) => recordsOf(group).get(name),
    async add(group, name, value, most = Infinity) {
      const records = recordsOf(group);
      if (records.has(name)) return "taken";
      if (records.size >= most) return "full";
      write(group, name, value);
      return "added";
    },
    async swap(group, name, current, next) {
      if (recordsOf(group).get(name) !== current) return false;
      write(group, name, next);
      return true;
    },
  };
}
