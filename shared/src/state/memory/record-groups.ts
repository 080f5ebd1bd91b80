import type { RecordGroups } from "../ports/record-groups.ts";
import type { ExpiringMap } from "./expiring-map.ts";

export class MemoryRecordGroups implements RecordGroups {
  /** By group, then by name. */
  readonly #groups: ExpiringMap<ReadonlyMap<string, string>>;
  readonly #lifeSpanMs: number;

  constructor(groups: ExpiringMap<ReadonlyMap<string, string>>, lifeSpanMs: number) {
    this.#groups = groups;
    this.#lifeSpanMs = lifeSpanMs;
  }

  async all(group: string): Promise<readonly string[]> {
    return [...this.#of(group).values()];
  }

  async get(group: string, name: string): Promise<string | undefined> {
    return this.#of(group).get(name);
  }

  async add(group: string, name: string, value: string, most = Infinity): Promise<"added" | "taken" | "full"> {
    const records = this.#of(group);
    if (records.has(name)) return "taken";
    if (records.size >= most) return "full";
    this.#groups.set(group, new Map(records).set(name, value), this.#lifeSpanMs);
    return "added";
  }

  async swap(group: string, name: string, current: string, next: string): Promise<boolean> {
    const records = this.#of(group);
    if (records.get(name) !== current) return false;
    this.#groups.set(group, new Map(records).set(name, next), this.#lifeSpanMs);
    return true;
  }

  #of(group: string): ReadonlyMap<string, string> {
    return this.#groups.get(group) ?? new Map<string, string>();
  }
}
