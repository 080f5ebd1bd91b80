/**
 * The port between a socket and a session. A transport only translates between its wire format and session events; it
 * makes no decisions.
 */
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { CallEffect } from "@voice/shared/tools/tool";
import type { CloseReason } from "./close-reasons.ts";

/** A session's notices to its peer; each transport encodes them in its own wire format. */
export type SessionNotice = {
  [T in Exclude<keyof ServerPayloads, "audio" | "agent_response">]: {
    readonly type: T;
    readonly payload: ServerPayloads[T];
  };
}[Exclude<keyof ServerPayloads, "audio" | "agent_response">];

export type ControlAction = Extract<BrowserInput, { type: "control" }>["action"];
export type SessionConfig = Extract<BrowserInput, { type: "config" }>;

export interface PeerTranscript {
  readonly text: string;
  readonly isFinal: boolean;
  /** Milliseconds from the start of the call. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface TransportEvents {
  /** PCM16 mono at the transport's rate, any length. */
  onAudio(samples: Int16Array): void;
  onText(text: string): void;
  onDigits(digits: string): void;
  onControl(action: ControlAction): void;
  onConfig(config: SessionConfig): void;
  /** Words that the peer's own service recognised; only sessions that transcribe take them. */
  onTranscript?(transcript: PeerTranscript): void;
  /** The peer asks for another language from now on. */
  onLanguage?(language: string): void;
  /** The peer says that the caller has finished (TURN-12). */
  onCallerFinished(): void;
  onClosed(reason: string): void;
}

export interface Transport {
  readonly channel: Channel;
  /** The sample rate of the audio in both directions. */
  readonly sampleRateHz: number;
  /** How far ahead of real time this peer wants its audio. */
  readonly leadMs: number;
  /** How long this peer keeps audio before it is heard, beyond that lead; not at all where absent. */
  readonly bufferMs?: number | undefined;
  /** Everything that is sent from now on belongs to this session. */
  setSession(sessionId: string): void;
  /** Starts delivery; what arrived earlier is delivered now, in order. */
  start(events: TransportEvents): void;
  /** One frame of PCM16 mono; the array is reused after the call. */
  sendAudio(frame: Int16Array): void;
  /** The agent has said all of this reply; what was kept to fill a chunk goes out. */
  endAudio?(): void;
  /** The peer drops what it has buffered. */
  stopAudio(): void;
  notify(notice: SessionNotice): void;
  /**
   * Only where the peer itself holds the line. True: it does with the caller what was asked, once the conversation has
   * ended, which it does now.
   */
  handBack?(effect: CallEffect): boolean;
  /** Idempotent. */
  close(reason: CloseReason): void;
}
