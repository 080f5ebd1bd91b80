/** Generated demo customers. Invented people, treated as personal data all the same. They end with their life span. */
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { readerOf, type Stored } from "../stored-json.ts";
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

export type ProfileStore = ReturnType<typeof createProfileStore>;

const read = readerOf(storedProfile);
const keyOf = (profileId: string): string => `profile:${profileId}`;

export function createProfileStore(records: KeyedRecords, clock: Clock) {
  return {
    /** Rejects with `conflict` when the id exists. */
    async create({ lifeSpanMs = profileLifeSpanMs, ...profile }: NewProfile): Promise<StoredProfile> {
      const createdAtMs = clock.wallNow();
      const expiresAtMs = createdAtMs + lifeSpanMs;
      const created = { ...profile, createdAtMs, expiresAtMs, version: 1 };
      const present = await records.putIfAbsent(keyOf(profile.profileId), JSON.stringify(created), lifeSpanMs);
      if (present !== undefined) throw new VoiceError("conflict", "a profile with this id exists");
      return created;
    },
    get: async (profileId: string) => read(await records.get(keyOf(profileId))),
    /**
     * Replaces the document if the stored version is `version`, and leaves the life span as it is. Rejects with `conflict`
     * otherwise, with `not_found` when the profile is gone.
     */
    async update(profileId: string, version: number, document: JsonDocument): Promise<StoredProfile> {
      const text = await records.get(keyOf(profileId));
      const current = read(text);
      if (text === undefined || current === undefined) throw gone();
      const written = { ...current, document, version: version + 1 };
      const outcome =
        current.version === version
          ? await records.swap(keyOf(profileId), text, JSON.stringify(written))
          : ("changed" as const);
      if (outcome === "gone") throw gone();
      if (outcome === "changed") throw new VoiceError("conflict", "the profile was changed by someone else");
      return written;
    },
    delete: (profileId: string) => records.delete(keyOf(profileId)),
  };
}

function gone(): VoiceError {
  return new VoiceError("not_found", "there is no such profile");
}
