/** Records that are listed and end together, by name within a group: a write to any of them gives all of them a new life span. */
export interface RecordGroups {
  /** In no particular order. */
  all(group: string): Promise<readonly string[]>;
  get(group: string, name: string): Promise<string | undefined>;
  /** `full`: the group has that many already. */
  add(group: string, name: string, value: string, most?: number): Promise<"added" | "taken" | "full">;
  /** Replaces exactly this value; false if another one is there, or none. */
  swap(group: string, name: string, current: string, next: string): Promise<boolean>;
}
