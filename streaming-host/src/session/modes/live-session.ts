/** A session as its socket sees it, whichever mode it runs in: data goes in, and it ends. */
import type { CloseReason } from "../../transports/close-reasons.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { PeerEvent } from "./peer-event.ts";

/** Why a session ended that had a defect. */
export const brokenSession = "internal_error";

/** Why a session ended that lost what it cannot do without: its model, its ears or its voice. */
export const lossReasons: ReadonlySet<string> = new Set([
  "realtime_lost",
  "recogniser_lost",
  "voice_failed",
  "too_many_failures",
]);

export interface SessionStatus {
  /** The caller has said something: scenario and agent cannot be chosen any more (HS-6). */
  readonly hasBegun: boolean;
  /** Nobody speaks, and nothing is under way: the conversation can move to another host without anybody noticing. */
  readonly isQuiet: boolean;
}

export interface LiveSession {
  readonly conversation: Conversation;
  readonly status: SessionStatus;
  /** The caller's audio, in chunks of any length. Called for every frame. */
  onAudio(samples: Int16Array): void;
  handle(event: PeerEvent): void;
  /**
   * Idempotent. Resolves when everything said is stored and every provider is released. Without a reason the socket
   * stays open: another session follows on it.
   */
  close(reason?: CloseReason): Promise<void>;
  /** Resolves with the reason once the session wants to end, or was closed. */
  readonly ended: Promise<string>;
}
