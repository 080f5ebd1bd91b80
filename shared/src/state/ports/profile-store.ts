/** Generated demo customers. Invented people, treated as personal data all the same. They end with their life span. */
import type { JsonDocument } from "./session-documents.ts";

export interface StoredProfile {
  readonly profileId: string;
  readonly document: JsonDocument;
  readonly sessionId?: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** How long a demo profile lives unless its creator says otherwise. */
export const profileLifeSpanMs = 24 * 60 * 60 * 1000;

export interface NewProfile {
  readonly profileId: string;
  readonly document: JsonDocument;
  readonly sessionId?: string | undefined;
  readonly lifeSpanMs?: number | undefined;
}

export interface ProfileStore {
  /** Rejects with `conflict` when the id exists. */
  create(profile: NewProfile): Promise<StoredProfile>;
  get(profileId: string): Promise<StoredProfile | undefined>;
}
