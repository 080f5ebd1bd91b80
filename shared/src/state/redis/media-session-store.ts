import { VoiceError } from "../../platform/errors.ts";
import type { LifeSpans } from "../life-spans.ts";
import {
  mediaSession,
  type MediaSession,
  type MediaSessionPatch,
  type MediaSessionStore,
  type NewMediaSession,
} from "../ports/media-session-store.ts";
import type { RedisConnections } from "./connection.ts";
import { applyPatch, fromFields, toFields, toPatchArguments } from "./hash-record.ts";
import type { Keys } from "./keys.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** KEYS: record, tombstone. ARGV begins with the life spans of both. */
const renew = `
local function renew()
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
end
`;

const createMediaSession = defineScript(`
${renew}
if redis.call('EXISTS', KEYS[1]) == 1 then return 'conflict' end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
renew()
return 'created'
`);

const updateMediaSession = defineScript(`
${renew} ${applyPatch}
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return redis.call('EXISTS', KEYS[2]) == 1 and 'expired' or 'unknown' end
if version ~= ARGV[3] then return 'conflict' end
apply(KEYS[1], 4, 'version', version + 1)
renew()
return redis.call('HGETALL', KEYS[1])
`);

const keepMediaSession = defineScript(`
${renew}
if redis.call('EXISTS', KEYS[1]) == 1 then renew() end
return 1
`);

export class RedisMediaSessionStore implements MediaSessionStore {
  readonly #connections: RedisConnections;
  readonly #keys: Keys;
  readonly #lifeSpans: LifeSpans;

  constructor(options: RedisStoreOptions) {
    this.#connections = options.connections;
    this.#keys = options.keys;
    this.#lifeSpans = options.lifeSpans;
  }

  async create(session: NewMediaSession): Promise<MediaSession> {
    const created = { ...session, version: 1 };
    const args = [...this.#spans(), ...toFields(created)];
    const keys = this.#scriptKeys(session.sessionId);
    const outcome = await this.#connections.run((redis) => createMediaSession(redis, keys, args));
    if (outcome === "conflict") throw new VoiceError("conflict", "a media session with this id exists");
    return created;
  }

  async get(sessionId: string): Promise<MediaSession | "expired" | "unknown"> {
    const { record, tombstone } = this.#keys.mediaSession(sessionId);
    const [fields, existed] = await this.#connections.run((redis) =>
      Promise.all([redis.hgetall(record), redis.exists(tombstone)]),
    );
    if (fields["version"] !== undefined) return mediaSession.parse(fromFields(fields));
    return existed === 1 ? "expired" : "unknown";
  }

  async update(sessionId: string, version: number, patch: MediaSessionPatch): Promise<MediaSession> {
    const args = [...this.#spans(), version, ...toPatchArguments(patch)];
    const reply = await this.#connections.run((redis) => updateMediaSession(redis, this.#scriptKeys(sessionId), args));
    if (reply === "conflict") throw new VoiceError("conflict", "the media session was changed by someone else");
    if (reply === "expired") throw new VoiceError("session_expired", "the media session has expired");
    if (reply === "unknown") throw new VoiceError("not_found", "there is no media session with this id");
    return mediaSession.parse(fromFields(reply));
  }

  async keepAlive(sessionIds: readonly string[]): Promise<void> {
    await this.#connections.run((redis) =>
      Promise.all(sessionIds.map((id) => keepMediaSession(redis, this.#scriptKeys(id), this.#spans()))),
    );
  }

  #scriptKeys(sessionId: string): string[] {
    const { record, tombstone } = this.#keys.mediaSession(sessionId);
    return [record, tombstone];
  }

  #spans(): [number, number] {
    const { mediaSessionMs, tombstoneMs } = this.#lifeSpans;
    return [mediaSessionMs, mediaSessionMs + tombstoneMs];
  }
}
