import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import { profileLifeSpanMs, type NewProfile, type ProfileStore, type StoredProfile } from "../ports/profile-store.ts";
import type { JsonDocument } from "../ports/session-documents.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryProfileStore implements ProfileStore {
  readonly #clock: Clock;
  readonly #profiles: ExpiringMap<StoredProfile>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#profiles = new ExpiringMap(clock);
  }

  async create(profile: NewProfile): Promise<StoredProfile> {
    const { profileId, sessionId, owner, lifeSpanMs = profileLifeSpanMs } = profile;
    if (this.#profiles.has(profileId)) throw new VoiceError("conflict", "a profile with this id exists");
    const createdAtMs = this.#clock.wallNow();
    const document = structuredClone(profile.document);
    const expiresAtMs = createdAtMs + lifeSpanMs;
    const stored = { profileId, document, sessionId, owner, createdAtMs, expiresAtMs, version: 1 };
    this.#profiles.set(profileId, stored, lifeSpanMs);
    return stored;
  }

  async get(profileId: string): Promise<StoredProfile | undefined> {
    return this.#profiles.get(profileId);
  }

  async update(profileId: string, version: number, document: JsonDocument): Promise<StoredProfile> {
    const current = this.#profiles.get(profileId);
    if (current === undefined) throw new VoiceError("not_found", "there is no such profile");
    if (current.version !== version) throw new VoiceError("conflict", "the profile was changed by someone else");
    const written = { ...current, document: structuredClone(document), version: version + 1 };
    this.#profiles.set(profileId, written, current.expiresAtMs - this.#clock.wallNow());
    return written;
  }
}
