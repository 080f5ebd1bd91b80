/** A session as its socket sees it, whichever mode it runs in. */
import type { CloseReason } from "../transports/close-reasons.ts";
import type { PeerTranscript } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";

/** Why a session ended that had a defect. */
export const brokenSession = "internal_error";

export interface LiveSession {
  readonly conversation: Conversation;
  /** The caller has said something: scenario and agent are settled (HS-6). */
  readonly hasBegun: boolean;
  onAudio(samples: Int16Array): void;
  onWholeTurn(text: string): void;
  /** What is typed on a keypad is a turn when it is complete; until then it shows that somebody is there (IDLE-1). */
  onKeyPressed(): void;
  onCallerFinished(): void;
  onTranscript(transcript: PeerTranscript): void;
  setPaused(isPaused: boolean): void;
  /** Nobody speaks, and nothing is under way: the conversation can be moved without anybody noticing. */
  readonly isQuiet: boolean;
  sayFarewell(reason: string): void;
  /** A machine is at the other end: nothing that it says is answered any more. */
  onMachine(): void;
  /** Says this to its end, whatever is heard meanwhile, and ends the conversation; without words it ends at once. */
  sayAndEnd(text: string, reason: string): void;
  /**
   * Idempotent. Resolves when everything said is stored and every provider is released. Without a reason the socket
   * stays open: another session follows on it.
   */
  close(reason?: CloseReason): Promise<void>;
  /** Resolves with the reason once the session wants to end, or was closed. */
  readonly ended: Promise<string>;
}
