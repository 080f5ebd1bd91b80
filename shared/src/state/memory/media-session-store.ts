import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { LifeSpans } from "../life-spans.ts";
import type {
  MediaSession,
  MediaSessionPatch,
  MediaSessionStore,
  NewMediaSession,
} from "../ports/media-session-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryMediaSessionStore implements MediaSessionStore {
  readonly #lifeSpans: LifeSpans;
  readonly #sessions: ExpiringMap<MediaSession>;
  readonly #tombstones: ExpiringMap<true>;

  constructor(clock: Clock, lifeSpans: LifeSpans) {
    this.#lifeSpans = lifeSpans;
    this.#sessions = new ExpiringMap(clock);
    this.#tombstones = new ExpiringMap(clock);
  }

  async create(session: NewMediaSession): Promise<MediaSession> {
    if (this.#sessions.has(session.sessionId)) throw new VoiceError("conflict", "a media session with this id exists");
    return this.#write({ ...session, version: 1 });
  }

  async get(sessionId: string): Promise<MediaSession | "expired" | "unknown"> {
    return this.#sessions.get(sessionId) ?? (this.#tombstones.has(sessionId) ? "expired" : "unknown");
  }

  async update(sessionId: string, version: number, patch: MediaSessionPatch): Promise<MediaSession> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined)
      throw this.#tombstones.has(sessionId)
        ? new VoiceError("session_expired", "the media session has expired")
        : new VoiceError("not_found", "there is no media session with this id");
    if (session.version !== version) throw new VoiceError("conflict", "the media session was changed by someone else");
    return this.#write({ ...session, ...patch, version: version + 1 });
  }

  async keepAlive(sessionIds: readonly string[]): Promise<void> {
    for (const sessionId of sessionIds) {
      const session = this.#sessions.get(sessionId);
      if (session !== undefined) this.#write(session);
    }
  }

  #write(session: MediaSession): MediaSession {
    const { mediaSessionMs, tombstoneMs } = this.#lifeSpans;
    this.#sessions.set(session.sessionId, session, mediaSessionMs);
    this.#tombstones.set(session.sessionId, true, mediaSessionMs + tombstoneMs);
    return session;
  }
}
