import type { KeyedRecords } from "../ports/keyed-records.ts";

/** Small files with a life span, found by name by every process. */
export interface FileStore {
  put(name: string, bytes: Uint8Array, lifeSpanMs: number): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
}

export function createFileStore(records: KeyedRecords, kind: "announcement" | "spoken"): FileStore {
  return {
    put: (name, bytes, lifeSpanMs) => records.put(`${kind}:${name}`, bytes, lifeSpanMs),
    get: (name) => records.getBytes(`${kind}:${name}`),
  };
}
