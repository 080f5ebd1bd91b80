/**
 * The port between a socket and a session. A transport only translates between its wire format and session events; it makes no decisions.
 */
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { CallEffect } from "@voice/shared/tools/tool";
import type { CloseReason } from "./close-reasons.ts";

/** A session's notices to its peer; each transport encodes them in its own wire format. */
export type SessionNotice = {
  [T in Exclude<keyof ServerPayloads, "audio" | "agent_response" | "pong">]: {
    readonly type: T;
    readonly payload: ServerPayloads[T];
  };
}[Exclude<keyof ServerPayloads, "audio" | "agent_response" | "pong">];

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
  /** A transcript by the peer's own service; only sessions that transcribe accept it. */
  onTranscript(transcript: PeerTranscript): void;
  /** The peer requests another language from now on. */
  onLanguage(language: string): void;
  /** The peer says that the caller has finished (TURN-12). */
  onCallerFinished(): void;
  onClosed(reason: string): void;
}

export interface Transport {
  readonly channel: Channel;
  /** The sample rate of the audio between session and transport, in both directions. */
  readonly sampleRateHz: number;
  /** The sample rate of the audio on the wire, if it differs. */
  readonly wireRateHz?: number;
  /** How far ahead of real time this peer wants its audio. */
  readonly leadMs: number;
  /** How long this peer buffers audio before it plays, in addition to the lead; zero if absent. */
  readonly bufferMs?: number | undefined;
  /** Everything that is sent from now on belongs to this session. */
  setSession(sessionId: string): void;
  /** Starts delivery; what arrived earlier is delivered now, in order. */
  start(events: TransportEvents): void;
  /** One frame of PCM16 mono; the array is reused after the call. */
  sendAudio(frame: Int16Array): void;
  /** The agent's reply is complete, or has paused (PLAY-9), so audio that was held back to fill a chunk is sent. */
  endAudio?(): void;
  /** The peer drops its buffered audio. */
  stopAudio(): void;
  notify(notice: SessionNotice): void;
  /**
   * The peer's response comes after everything that it had sent before receiving the probe, and never while the network delivers nothing.
   */
  probe(onAnswered: () => void): void;
  /**
   * Only present if the peer itself holds the line. Returns true if the peer carries out the effect once the conversation has ended, which
   * it now does.
   */
  handBack?(effect: CallEffect): boolean;
  /** Idempotent. */
  close(reason: CloseReason): void;
}
