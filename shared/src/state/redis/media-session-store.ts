import { VoiceError } from "../../platform/errors.ts";
import { mediaSession, type MediaSessionStore } from "../ports/media-session-store.ts";
import { applyPatch, fromFields, toFields, toPatchArguments } from "./hash-record.ts";
import { defineScript, type Script } from "./script.ts";
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

export function createRedisMediaSessionStore({ connections, keys, lifeSpans }: RedisStoreOptions): MediaSessionStore {
  const { mediaSessionMs, tombstoneMs } = lifeSpans;
  const spans = [mediaSessionMs, mediaSessionMs + tombstoneMs];
  const run = (script: Script, sessionId: string, args: readonly (string | number)[]): Promise<unknown> => {
    const { record, tombstone } = keys.mediaSession(sessionId);
    return connections.run((redis) => script(redis, [record, tombstone], [...spans, ...args]));
  };
  return {
    async create(session) {
      const created = { ...session, version: 1 };
      const outcome = await run(createMediaSession, session.sessionId, toFields(created));
      if (outcome === "conflict") throw new VoiceError("conflict", "a media session with this id exists");
      return created;
    },
    async get(sessionId) {
      const { record, tombstone } = keys.mediaSession(sessionId);
      const [fields, existed] = await connections.run((redis) =>
        Promise.all([redis.hgetall(record), redis.exists(tombstone)]),
      );
      if (fields["version"] !== undefined) return mediaSession.parse(fromFields(fields));
      return existed === 1 ? "expired" : "unknown";
    },
    async update(sessionId, version, patch) {
      const reply = await run(updateMediaSession, sessionId, [version, ...toPatchArguments(patch)]);
      if (reply === "conflict") throw new VoiceError("conflict", "the media session was changed by someone else");
      if (reply === "expired") throw new VoiceError("session_expired", "the media session has expired");
      if (reply === "unknown") throw new VoiceError("not_found", "there is no media session with this id");
      return mediaSession.parse(fromFields(reply));
    },
    async keepAlive(sessionIds) {
      await Promise.all(sessionIds.map((id) => run(keepMediaSession, id, [])));
    },
  };
}
