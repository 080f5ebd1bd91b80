import { VoiceError } from "../../platform/errors.ts";
import { profileLifeSpanMs, type NewProfile, type ProfileStore, type StoredProfile } from "../ports/profile-store.ts";
import type { JsonDocument } from "../ports/session-documents.ts";
import { jsonOf } from "./hash-record.ts";
import { storedProfile } from "./records.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** Compares with the value as it was read, which contains the version. ARGV: that value, the new one. */
const updateProfile = defineScript(`
local current = redis.call('GET', KEYS[1])
if not current then return 'gone' end
if current ~= ARGV[1] then return 'conflict' end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 'written'
`);

const stored = jsonOf(storedProfile);

export class RedisProfileStore implements ProfileStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async create(profile: NewProfile): Promise<StoredProfile> {
    const { connections, clock, keys } = this.#options;
    const { profileId, document, sessionId, owner, lifeSpanMs = profileLifeSpanMs } = profile;
    const createdAtMs = clock.wallNow();
    const expiresAtMs = createdAtMs + lifeSpanMs;
    const created = { profileId, document, sessionId, owner, createdAtMs, expiresAtMs, version: 1 };
    const outcome = await connections.run((redis) =>
      redis.set(keys.profile(profileId), JSON.stringify(created), "PX", lifeSpanMs, "NX"),
    );
    if (outcome === null) throw new VoiceError("conflict", "a profile with this id exists");
    return created;
  }

  async get(profileId: string): Promise<StoredProfile | undefined> {
    const text = await this.#read(profileId);
    return text === null ? undefined : stored.parse(text);
  }

  async update(profileId: string, version: number, document: JsonDocument): Promise<StoredProfile> {
    const { connections, keys } = this.#options;
    const text = await this.#read(profileId);
    const current = text === null ? undefined : stored.parse(text);
    if (text === null || current === undefined) throw gone();
    const written = { ...current, document, version: version + 1 };
    const outcome =
      current.version === version
        ? await connections.run((redis) =>
            updateProfile(redis, [keys.profile(profileId)], [text, JSON.stringify(written)]),
          )
        : "conflict";
    if (outcome === "gone") throw gone();
    if (outcome === "conflict") throw new VoiceError("conflict", "the profile was changed by someone else");
    return written;
  }

  #read(profileId: string): Promise<string | null> {
    const { connections, keys } = this.#options;
    return connections.run((redis) => redis.get(keys.profile(profileId)));
  }
}

function gone(): VoiceError {
  return new VoiceError("not_found", "there is no such profile");
}
