import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import { profileLifeSpanMs, type NewProfile, type ProfileStore, type StoredProfile } from "../ports/profile-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryProfileStore implements ProfileStore {
  readonly #clock: Clock;
  readonly #profiles: ExpiringMap<StoredProfile>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#profiles = new ExpiringMap(clock);
  }

  async create(profile: NewProfile): Promise<StoredProfile> {
    const { profileId, sessionId, lifeSpanMs = profileLifeSpanMs } = profile;
    if (this.#profiles.has(profileId)) throw new VoiceError("conflict", "a profile with this id exists");
    const createdAtMs = this.#clock.wallNow();
    const document = structuredClone(profile.document);
    const stored = { profileId, document, sessionId, createdAtMs, expiresAtMs: createdAtMs + lifeSpanMs };
    this.#profiles.set(profileId, stored, lifeSpanMs);
    return stored;
  }

  async get(profileId: string): Promise<StoredProfile | undefined> {
    return this.#profiles.get(profileId);
  }
}
