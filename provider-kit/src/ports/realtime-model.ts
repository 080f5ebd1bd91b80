/**
 * A model that receives and produces audio, and decides about turns itself. The vendor's events arrive as one vendor-neutral union; event
 * types that are not known arrive as `unknown` and are not an error.
 */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { ReasoningEffort } from "@voice/shared/catalog/agent";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelTool, ModelUsage } from "./language-model.ts";
import type { Voice } from "./synthesiser.ts";

export interface RealtimeSettings {
  /** If absent, the provider's own. It cannot change once the session is open. */
  readonly model?: string | undefined;
  readonly instructions: string;
  readonly voice: Voice;
  readonly tools: readonly ModelTool[];
  /** The rate of the audio in both directions, PCM16 mono. It cannot change once the session is open. */
  readonly sampleRateHz: number;
  readonly language: string;
  /** Other languages that callers may speak, if the transcription can distinguish languages. */
  readonly candidateLanguages?: readonly string[] | undefined;
  /** Names and terms to which the transcription should be biased. */
  readonly phrases: readonly string[];
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** For models that reason before they respond; if absent, their own default. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
  /** Whether one response may call several tools; if absent, the model's own default. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly turnDetection: RealtimeTurnDetection;
  readonly noiseSuppression: boolean;
  /** The callers' microphones stand in the room, not at their mouths; for services that tell these apart. */
  readonly hearsRoom?: boolean | undefined;
  readonly echoCancellation: boolean;
}

export interface RealtimeTurnDetection {
  /** `semantic` also considers whether the sentence sounds finished; `manual` waits for `commitAudio`. */
  readonly kind: "semantic" | "silence" | "manual";
  readonly silenceMs: number;
  /** Whether the service stops speaking, and forgets what was not heard, when the caller starts to speak. */
  readonly interruptsResponse: boolean;
  /** Between 0 and 1; higher needs louder speech. */
  readonly threshold?: number | undefined;
}

/** A transcription is counted in tokens or in seconds of audio. */
export type RealtimeUsage = ModelUsage | { readonly audioSeconds: number; readonly model?: string | undefined };

/** An item of the earlier conversation, for a session that takes over from another. */
export type RealtimeHistoryItem =
  | { readonly role: "user" | "assistant"; readonly text: string }
  | { readonly role: "tool-call"; readonly call: ToolCall }
  | { readonly role: "tool-result"; readonly callId: string; readonly resultJson: string };

/**
 * Positions are milliseconds of audio appended so far. They give where words begin and end, excluding the padding before them that a
 * service also reports, and excluding the silence after them for which it has waited.
 */
export type RealtimeEvent =
  | { readonly type: "speech-started"; readonly itemId: string; readonly atMs: number }
  /** `isLate`: the service has waited for a silence whose length it does not report, so the words ended before this position. */
  | { readonly type: "speech-stopped"; readonly itemId: string; readonly atMs: number; readonly isLate?: boolean }
  | { readonly type: "audio-committed"; readonly itemId: string }
  /** The caller's transcript. A partial replaces the previous one; an empty final means that there were no words. */
  | { readonly type: "user-transcript"; readonly itemId: string; readonly text: string; readonly isFinal: boolean }
  /** The caller has said something, but there is no transcript. The model itself may have understood it. */
  | { readonly type: "user-transcript-failed"; readonly itemId: string; readonly error: VoiceError }
  /** `isUnasked`: the service has certainly started it by itself; absent if it may be one that was requested. */
  | { readonly type: "response-started"; readonly responseId: string; readonly isUnasked?: boolean }
  /** No audio is reported for a response after it was cancelled. The receiver owns the array. */
  | { readonly type: "audio"; readonly responseId: string; readonly itemId: string; readonly samples: Int16Array }
  | { readonly type: "audio-finished"; readonly responseId: string; readonly itemId: string }
  | { readonly type: "agent-text"; readonly responseId: string; readonly itemId: string; readonly delta: string }
  | {
      readonly type: "agent-text-finished";
      readonly responseId: string;
      readonly itemId: string;
      readonly text: string;
    }
  /** The position of a word in its item's audio. */
  | {
      readonly type: "word";
      readonly itemId: string;
      readonly text: string;
      readonly startMs: number;
      readonly endMs: number;
    }
  /** Each call is reported once. If its response does not complete, it must not run, because its arguments may be cut off. */
  | { readonly type: "tool-call"; readonly responseId: string; readonly call: ToolCall }
  | {
      readonly type: "response-finished";
      readonly responseId: string;
      readonly status: "completed" | "cancelled" | "incomplete" | "failed";
      /** Why an incomplete response was not completed; absent if it is not known. */
      readonly cut?: "length" | "content_filter";
      /** Why a response failed; absent if it is not known. */
      readonly error?: VoiceError;
      readonly usage?: ModelUsage;
    }
  | { readonly type: "item-truncated"; readonly itemId: string; readonly atMs: number }
  /** What is charged for beyond responses that finish: transcription, and responses that were cancelled before they started. */
  | { readonly type: "used"; readonly what: "response" | "transcription"; readonly usage: RealtimeUsage }
  /** The service has rejected a part of the settings, and the session continues without it, or with a substitute. */
  | { readonly type: "settings-repaired"; readonly part: string; readonly how: "left_out" | "replaced" }
  /** A request was rejected; the session continues. */
  | { readonly type: "error"; readonly error: VoiceError }
  | { readonly type: "unknown"; readonly name: string; readonly raw: unknown };

export interface RealtimeListener {
  /** Called synchronously, in the order of the wire. */
  onEvent(event: RealtimeEvent): void;
  /** The service has ended the session for good; not called after `close`. */
  onEnded(error: VoiceError): void;
}

export interface RealtimeSession {
  /** Another agent takes over: instructions, voice, tools and turn detection change, the conversation stays. */
  update(settings: RealtimeSettings): void;
  /** The samples are copied before the call returns. */
  appendAudio(samples: Int16Array): void;
  /** Declares the audio so far to be a turn of the caller. By itself this causes no response, whatever the turn detection is. */
  commitAudio(): void;
  sendText(text: string): void;
  remember(items: readonly RealtimeHistoryItem[]): void;
  sendToolResult(callId: string, resultJson: string): void;
  /**
   * Requests a response, optionally with instructions for it alone, or with exactly this text to be spoken. It follows the response that is
   * under way.
   */
  respond(how?: ResponseRequest): void;
  /** Requests a response to what was committed, unless the service has just started one by itself; it never causes a second one. */
  respondIfFree(): void;
  /** Ends the current response, and withdraws those that were requested. Nothing more is reported of them. */
  cancelResponse(): void;
  /** The item's audio after this position was not heard, and is removed from the model's conversation. `heard`: the text up to there. */
  truncate(itemId: string, audioEndMs: number, heard: string): void;
  /** Removes from the service's conversation what the caller said before the newest response, because the service's filter rejects it. */
  forgetCaller(): void;
  /** Idempotent. No callback runs afterwards. */
  close(): void;
}

export interface ResponseRequest {
  readonly instructions?: string;
  readonly say?: string;
  /** The model may call no tools in this response. */
  readonly toolChoice?: "none";
}

export interface RealtimeModel {
  /** Resolves once the service has accepted the settings. Rejects with a `VoiceError`, or with the signal's reason. */
  open(settings: RealtimeSettings, listener: RealtimeListener, signal: AbortSignal): Promise<RealtimeSession>;
}
