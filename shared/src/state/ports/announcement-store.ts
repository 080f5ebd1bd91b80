/**
 * Words that the communication service itself plays to a call, as WAV files: it fetches them by name from any instance of
 * the functions app, where a streaming host has put them.
 */
export interface AnnouncementStore {
  put(name: string, wav: Uint8Array, lifeSpanMs: number): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
}
