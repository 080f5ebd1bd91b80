/** Generated demo customers. Invented people, treated as personal data all the same. They end with their life span. */
import type { JsonDocument } from "./session-documents.ts";

export interface StoredProfile {
  readonly profileId: string;
  readonly document: JsonDocument;
  readonly sessionId?: string | undefined;
  /** The subject that created it; absent if it belongs to the operators, as one does that a session created. */
  readonly owner?: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Grows by one with every write; the compare in compare-and-set. */
  readonly version: number;
}

/** How long a demo profile lives unless its creator says otherwise. */
export const profileLifeSpanMs = 24 * 60 * 60 * 1000;

export interface NewProfile {
  readonly profileId: string;
  readonly document: JsonDocument;
  readonly sessionId?: string | undefined;
  readonly owner?: string | undefined;
  readonly lifeSpanMs?: number | undefined;
}

export interface ProfileStore {
  /** Rejects with `conflict` when the id exists. */
  create(profile: NewProfile): Promise<StoredProfile>;
  get(profileId: string): Promise<StoredProfile | undefined>;
  /**
   * Replaces the document if the stored version is `version`, and leaves the life span as it is. Rejects with `conflict`
   * otherwise, with `not_found` when the profile is gone.
   */
  update(profileId: string, version: number, document: JsonDocument): Promise<StoredProfile>;
}
