/** Generated demo customers. Invented people, treated as personal data all the same. They end with their life span. */
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { jsonOf, type Stored } from "../stored-json.ts";
import type { JsonDocument } from "./session-documents.ts";

export const storedProfile = z.object({
  profileId: z.string(),
  document: z.record(z.string(), z.unknown()),
  sessionId: z.string().optional(),
  /** The subject that created it; absent if it belongs to the operators, as one does that a session created. */
  owner: z.string().optional(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  /** Grows by one with every write; the compare in compare-and-set. */
  version: z.number(),
});
export type StoredProfile = Stored<typeof storedProfile>;

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
  delete(profileId: string): Promise<void>;
}

const stored = jsonOf(storedProfile);
const keyOf = (profileId: string): string => `profile:${profileId}`;

export function createProfileStore(records: KeyedRecords, clock: Clock): ProfileStore {
  return {
    async create({ profileId, document, sessionId, owner, lifeSpanMs = profileLifeSpanMs }) {
      const createdAtMs = clock.wallNow();
      const expiresAtMs = createdAtMs + lifeSpanMs;
      const created = { profileId, document, sessionId, owner, createdAtMs, expiresAtMs, version: 1 };
      const present = await records.putIfAbsent(keyOf(profileId), JSON.stringify(created), lifeSpanMs);
      if (present !== undefined) throw new VoiceError("conflict", "a profile with this id exists");
      return created;
    },
    async get(profileId) {
      const text = await records.get(keyOf(profileId));
      return text === undefined ? undefined : stored.parse(text);
    },
    async update(profileId, version, document) {
      const text = await records.get(keyOf(profileId));
      if (text === undefined) throw gone();
      const current = stored.parse(text);
      const written = { ...current, document, version: version + 1 };
      const outcome =
        current.version === version
          ? await records.swap(keyOf(profileId), text, JSON.stringify(written))
          : ("changed" as const);
      if (outcome === "gone") throw gone();
      if (outcome === "changed") throw new VoiceError("conflict", "the profile was changed by someone else");
      return written;
    },
    delete: (profileId) => records.delete(keyOf(profileId)),
  };
}

function gone(): VoiceError {
  return new VoiceError("not_found", "there is no such profile");
}
