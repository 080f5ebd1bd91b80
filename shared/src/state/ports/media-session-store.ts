/** The result of `POST /media/sessions`, for the streaming host that will serve the socket. */
import { z } from "zod";
import type { Stored } from "../stored-json.ts";

export const audioFormats = ["pcm_16", "pcm_24", "opus", "mulaw"] as const;
export type AudioFormat = (typeof audioFormats)[number];

export const mediaSessionStatuses = ["active", "ended"] as const;
export type MediaSessionStatus = (typeof mediaSessionStatuses)[number];

export const mediaSession = z.object({
  sessionId: z.string(),
  /** The owner's subject; absent if it belongs to the operators. */
  owner: z.string().optional(),
  callConnectionId: z.string(),
  sampleRateHz: z.number(),
  channels: z.number(),
  audioFormat: z.enum(audioFormats),
  chunkSizeBytes: z.number(),
  transcriptionEnabled: z.boolean(),
  vadEnabled: z.boolean(),
  status: z.enum(mediaSessionStatuses),
  /** Whether a socket is open now, and on which host. */
  connected: z.boolean(),
  hostId: z.string().optional(),
  createdAtMs: z.number(),
  /** Grows by one with every write; the compare in compare-and-set. */
  version: z.number(),
});
export type MediaSession = Stored<typeof mediaSession>;

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
