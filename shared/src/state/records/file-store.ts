import type { KeyedRecords } from "../ports/keyed-records.ts";

/** Small files with a life span, found by name by every process. */
export type FileStore = ReturnType<typeof createFileStore>;

export function createFileStore(records: KeyedRecords, kind: "announcement" | "spoken") {
  return {
    put: (name: string, bytes: Uint8Array, lifeSpanMs: number) => records.put(`${kind}:${name}`, bytes, lifeSpanMs),
    get: (name: string): Promise<Uint8Array | undefined> => records.getBytes(`${kind}:${name}`),
  };
}
