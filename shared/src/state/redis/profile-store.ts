import { VoiceError } from "../../platform/errors.ts";
import { profileLifeSpanMs, type NewProfile, type ProfileStore, type StoredProfile } from "../ports/profile-store.ts";
import { jsonOf } from "./hash-record.ts";
import { storedProfile } from "./records.ts";
import type { RedisStoreOptions } from "./session-store.ts";

const stored = jsonOf(storedProfile);

export class RedisProfileStore implements ProfileStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async create(profile: NewProfile): Promise<StoredProfile> {
    const { connections, clock, keys } = this.#options;
    const { profileId, document, sessionId, lifeSpanMs = profileLifeSpanMs } = profile;
    const createdAtMs = clock.wallNow();
    const created = { profileId, document, sessionId, createdAtMs, expiresAtMs: createdAtMs + lifeSpanMs };
    const outcome = await connections.run((redis) =>
      redis.set(keys.profile(profileId), JSON.stringify(created), "PX", lifeSpanMs, "NX"),
    );
    if (outcome === null) throw new VoiceError("conflict", "a profile with this id exists");
    return created;
  }

  async get(profileId: string): Promise<StoredProfile | undefined> {
    const { connections, keys } = this.#options;
    const text = await connections.run((redis) => redis.get(keys.profile(profileId)));
    return text === null ? undefined : stored.parse(text);
  }
}
