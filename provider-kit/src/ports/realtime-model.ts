/**
 * A model that hears and speaks by itself: audio in, audio out, the turns are its own. The vendor's events arrive as
 * one union in our words; what it invents tomorrow arrives as `unknown` and is nobody's error.
 */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { ReasoningEffort } from "@voice/shared/catalog/agent";
import type { ModelTool, ModelToolCall, ModelUsage } from "./language-model.ts";
import type { Voice } from "./synthesiser.ts";

export interface RealtimeSettings {
  /** The provider's own where absent. It cannot change once the session is open. */
  readonly model?: string | undefined;
  readonly instructions: string;
  readonly voice: Voice;
  readonly tools: readonly ModelTool[];
  /** The rate of the audio in both directions, PCM16 mono. It cannot change once the session is open. */
  readonly sampleRateHz: number;
  readonly language: string;
  /** What callers may speak as well, where the transcription can tell languages apart. */
  readonly candidateLanguages?: readonly string[] | undefined;
  /** Names and terms worth a bias in the transcription. */
  readonly phrases: readonly string[];
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** For models that think before they answer; their own default where absent. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
  /** Whether one response may call several tools; the model's own default where absent. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly turnDetection: RealtimeTurnDetection;
  readonly noiseSuppression: boolean;
  readonly echoCancellation: boolean;
}

export interface RealtimeTurnDetection {
  /** `semantic` also listens to whether the sentence sounds finished; `manual` waits for `commitAudio`. */
  readonly kind: "semantic" | "silence" | "manual";
  readonly silenceMs: number;
  /** Whether the service stops speaking, and forgets what was not heard, when the caller begins to speak. */
  readonly interruptsResponse: boolean;
  /** Between 0 and 1; higher needs louder speech. */
  readonly threshold?: number | undefined;
}

/** A transcription is counted in tokens or in seconds of audio. */
export type RealtimeUsage = ModelUsage | { readonly audioSeconds: number; readonly model?: string | undefined };

/** What was said before, for a session that takes over from another. */
export type RealtimeHistoryItem =
  | { readonly role: "user" | "assistant"; readonly text: string }
  | { readonly role: "tool-call"; readonly call: ModelToolCall }
  | { readonly role: "tool-result"; readonly callId: string; readonly resultJson: string };

/**
 * Positions are milliseconds of audio appended so far: where words begin and end, without the padding before them that a service also
 * reports, and without the silence after them for which it has waited.
 */
export type RealtimeEvent =
  | { readonly type: "speech-started"; readonly itemId: string; readonly atMs: number }
  /** `isLate`: the service has waited for a silence whose length it does not say, so the words ended before this position. */
  | { readonly type: "speech-stopped"; readonly itemId: string; readonly atMs: number; readonly isLate?: boolean }
  | { readonly type: "audio-committed"; readonly itemId: string }
  /** What the caller said. A partial replaces the one before; no text and final means that there were no words. */
  | { readonly type: "user-transcript"; readonly itemId: string; readonly text: string; readonly isFinal: boolean }
  /** The caller has said something, and nobody knows in which words. The model itself may have understood it. */
  | { readonly type: "user-transcript-failed"; readonly itemId: string; readonly error: VoiceError }
  /** `isUnasked`: the service has certainly begun it by itself; absent where it may be one that was requested. */
  | { readonly type: "response-started"; readonly responseId: string; readonly isUnasked?: boolean }
  /** None comes for a response after it was cancelled. The receiver owns the array. */
  | { readonly type: "audio"; readonly responseId: string; readonly itemId: string; readonly samples: Int16Array }
  | { readonly type: "audio-finished"; readonly responseId: string; readonly itemId: string }
  | { readonly type: "agent-text"; readonly responseId: string; readonly itemId: string; readonly delta: string }
  | {
      readonly type: "agent-text-finished";
      readonly responseId: string;
      readonly itemId: string;
      readonly text: string;
    }
  /** Where a word stands in its item's audio. */
  | {
      readonly type: "word";
      readonly itemId: string;
      readonly text: string;
      readonly startMs: number;
      readonly endMs: number;
    }
  /** Each call is reported once. If its response does not complete, it must not run: its arguments may be cut off. */
  | { readonly type: "tool-call"; readonly responseId: string; readonly call: ModelToolCall }
  | {
      readonly type: "response-finished";
      readonly responseId: string;
      readonly status: "completed" | "cancelled" | "incomplete" | "failed";
      /** Why an answer that is incomplete was not brought to its end; absent where it is not known. */
      readonly cut?: "length" | "content_filter";
      /** Why an answer failed; absent where it is not known. */
      readonly error?: VoiceError;
      readonly usage?: ModelUsage;
    }
  | { readonly type: "item-truncated"; readonly itemId: string; readonly atMs: number }
  /** What is paid for beyond responses that finish: transcription, and responses that were cancelled before they began. */
  | { readonly type: "used"; readonly what: "response" | "transcription"; readonly usage: RealtimeUsage }
  /** The service has refused a part of the settings, and the session goes on without it, or with another. */
  | { readonly type: "settings-repaired"; readonly part: string; readonly how: "left_out" | "replaced" }
  /** Something was refused; the session goes on. */
  | { readonly type: "error"; readonly error: VoiceError }
  | { readonly type: "unknown"; readonly name: string; readonly raw: unknown };

export interface RealtimeListener {
  /** Synchronous and in the order of the wire. */
  onEvent(event: RealtimeEvent): void;
  /** The service ended the session, once and for all; not called after `close`. */
  onEnded(error: VoiceError): void;
}

export interface RealtimeSession {
  /** Another agent takes over: instructions, voice, tools and turn detection change, the conversation stays. */
  update(settings: RealtimeSettings): void;
  /** The samples are copied before the call returns. */
  appendAudio(samples: Int16Array): void;
  /** What was heard so far is a turn of the caller's. By itself this brings no answer, whatever the turn detection is. */
  commitAudio(): void;
  sendText(text: string): void;
  remember(items: readonly RealtimeHistoryItem[]): void;
  sendToolResult(callId: string, resultJson: string): void;
  /** Asks for an answer, with words for it alone, or for exactly these words spoken; after the one under way. */
  respond(how?: ResponseRequest): void;
  /** Asks for an answer to what was committed, which the service may just have begun by itself: never for another after that. */
  respondIfFree(): void;
  /** Ends the answer under way, and takes back those that were asked for. Nothing more is heard of them. */
  cancelResponse(): void;
  /** What follows this position of the item's audio was not heard, and is forgotten. `heard`: the words until there. */
  truncate(itemId: string, audioEndMs: number, heard: string): void;
  /** What the caller said, to which the newest answer is one, leaves the service's conversation: its filter refuses it. */
  forgetCaller(): void;
  /** Idempotent. No callback runs after it was called. */
  close(): void;
}

export interface ResponseRequest {
  readonly instructions?: string;
  readonly say?: string;
  /** The model may call no tools in it. */
  readonly toolChoice?: "none";
}

export interface RealtimeModel {
  /** Resolves once the service accepted the settings. Rejects with a `VoiceError`, or with the signal's reason. */
  open(settings: RealtimeSettings, listener: RealtimeListener, signal: AbortSignal): Promise<RealtimeSession>;
}
