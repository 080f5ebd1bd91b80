/** The result of `POST /media/sessions`, for the streaming host that will serve the socket. */

export const audioFormats = ["pcm_16", "pcm_24", "opus", "mulaw"] as const;
export type AudioFormat = (typeof audioFormats)[number];

export const mediaSessionStatuses = ["active", "ended"] as const;
export type MediaSessionStatus = (typeof mediaSessionStatuses)[number];

export interface MediaSession {
  readonly sessionId: string;
  /** The owner's subject; absent if it belongs to the operators. */
  readonly owner?: string | undefined;
  readonly callConnectionId: string;
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly audioFormat: AudioFormat;
  readonly chunkSizeBytes: number;
  readonly transcriptionEnabled: boolean;
  readonly vadEnabled: boolean;
  readonly status: MediaSessionStatus;
  /** Whether a socket is open now, and on which host. */
  readonly connected: boolean;
  readonly hostId?: string | undefined;
  readonly createdAtMs: number;
  /** Grows by one with every write; the compare in compare-and-set. */
  readonly version: number;
}

export type NewMediaSession = Omit<MediaSession, "version">;
export type MediaSessionPatch = Partial<Pick<MediaSession, "status" | "connected" | "hostId">>;

export interface MediaSessionStore {
  /** Rejects with `conflict` when the id exists. */
  create(session: NewMediaSession): Promise<MediaSession>;
  /** `expired` for an id that existed and whose data is gone, `unknown` for one that never did. */
  get(sessionId: string): Promise<MediaSession | "expired" | "unknown">;
  /**
   * Applies the patch if the stored version is `version`; otherwise rejects with `conflict`, so that of two sockets for
   * one session only one gets it. Renews the life span.
   */
  update(sessionId: string, version: number, patch: MediaSessionPatch): Promise<MediaSession>;
  /** Renews the life spans of those that exist, in one round trip. */
  keepAlive(sessionIds: readonly string[]): Promise<void>;
}
