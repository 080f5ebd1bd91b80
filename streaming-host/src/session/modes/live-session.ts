/** A session as its socket sees it, in any mode: data goes in, and eventually it ends. */
import type { CloseReason } from "../../transports/close-reasons.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { PeerEvent } from "./peer-event.ts";

/** The end reason for a session with an internal error. */
export const brokenSession = "internal_error";

/** The end reason for a session that lost an essential provider: its model, recogniser or synthesiser. */
export const lossReasons: ReadonlySet<string> = new Set([
  "realtime_lost",
  "recogniser_lost",
  "voice_failed",
  "too_many_failures",
]);

export interface SessionStatus {
  /** The caller has spoken, so scenario and agent can no longer be chosen (HS-6). */
  readonly hasBegun: boolean;
  /** Nobody is speaking and nothing is in progress, so the conversation can move to another host unnoticed. */
  readonly isQuiet: boolean;
}

/** `reset`: the client ends this conversation and begins another one on the same socket. */
export type SessionEnd = CloseReason | "reset";

export interface LiveSession {
  readonly conversation: Conversation;
  readonly status: SessionStatus;
  /** The caller's audio, in chunks of any length. Called for every frame. */
  onAudio(samples: Int16Array): void;
  handle(event: PeerEvent): void;
  /**
   * Idempotent. Resolves when everything said is stored and every provider is released. After a reset the socket stays
   * open for another session, and without a reason for the same session in a new configuration.
   */
  close(reason?: SessionEnd): Promise<void>;
  /** Resolves with the reason once the session wants to end, or was closed. */
  readonly ended: Promise<string>;
}
