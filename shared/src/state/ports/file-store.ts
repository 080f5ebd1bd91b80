/** Small files with a life span, found by name by every process. */
export interface FileStore {
  put(name: string, bytes: Uint8Array, lifeSpanMs: number): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
}
