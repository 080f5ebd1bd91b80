import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { LifeSpans } from "../life-spans.ts";
import type { MediaSession, MediaSessionStore } from "../ports/media-session-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export function createMemoryMediaSessionStore(
  clock: Clock,
  { mediaSessionMs, tombstoneMs }: LifeSpans,
): MediaSessionStore {
  const sessions = new ExpiringMap<MediaSession>(clock);
  const tombstones = new ExpiringMap<true>(clock);
  const write = (session: MediaSession): MediaSession => {
    sessions.set(session.sessionId, session, mediaSessionMs);
    tombstones.set(session.sessionId, true, mediaSessionMs + tombstoneMs);
    return session;
  };
  const find = (sessionId: string) => sessions.get(sessionId) ?? (tombstones.has(sessionId) ? "expired" : "unknown");
  return {
    async create(session) {
      if (sessions.has(session.sessionId)) throw new VoiceError("conflict", "a media session with this id exists");
      return write({ ...session, version: 1 });
    },
    get: async (sessionId) => find(sessionId),
    async update(sessionId, version, patch) {
      const session = find(sessionId);
      if (session === "expired") throw new VoiceError("session_expired", "the media session has expired");
      if (session === "unknown") throw new VoiceError("not_found", "there is no media session with this id");
      if (session.version !== version)
        throw new VoiceError("conflict", "the media session was changed by someone else");
      return write({ ...session, ...patch, version: version + 1 });
    },
    async keepAlive(sessionIds) {
      for (const session of sessionIds.map(find)) if (typeof session !== "string") write(session);
    },
  };
}
