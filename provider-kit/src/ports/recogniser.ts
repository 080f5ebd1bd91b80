/**
 * Speech in, text out. One stream serves one session; it receives every frame of the call, including silence, and does its own
 * segmentation, as cloud recognisers do. Callbacks rather than iterators, because frames arrive 50 times a second per session.
 */
import type { ErrorCode, VoiceError } from "@voice/shared/platform/errors";
import type { StatusBasis } from "@voice/shared/platform/status-basis";

/** The kind of answer that the agent has asked for. */
export type AwaitedAnswer = AwaitedDigits | AwaitedGreeting;

export interface AwaitedDigits {
  readonly type: "digits";
  /** The number of digits, if it is known. */
  readonly length?: number | undefined;
  /**
   * How many digits are missing if the caller has already said the others: the missing ones may follow alone, or the whole code may be
   * repeated.
   */
  readonly missing?: number | undefined;
}

/** Only the agent has spoken so far, and it has not asked for a number: a greeting is likelier than a bare number that sounds like one. */
export interface AwaitedGreeting {
  readonly type: "greeting";
}

export interface RecognitionHints {
  /**
   * Sentences that a caller may say here. `{digits}` and the like stand for values, and `{order.size: small | large}` for one of a list of
   * wordings, which is `{order.size}` in the other sentences. Every recogniser receives them, like the names: one with a grammar
   * builds it from them, one with a language model of its own may ignore them.
   */
  readonly examples: readonly string[];
  /** Names and terms to which recognition should be biased (customers, products). */
  readonly phrases: readonly string[];
  /** The language of the agent that has the floor; if absent, that of the stream. */
  readonly language?: string | undefined;
  /** The most probable kind of the next utterance; anything else may be said. */
  readonly awaits?: AwaitedAnswer | undefined;
}

export interface RecognitionOptions {
  readonly sampleRateHz: number;
  /** BCP 47, for instance `en-US`. */
  readonly language: string;
  readonly candidateLanguages: readonly string[];
  /** How much silence ends a segment; the final follows it. */
  readonly segmentationSilenceMs: number;
  /**
   * The owner decides when the caller has finished, and calls `flush` then. A recogniser that supports this continues one segment through
   * pauses up to this length, reports its text when a pause starts, and loses no audio of a sentence that was flushed in the middle. One
   * that does not goes by `segmentationSilenceMs`, and the owner joins its finals.
   */
  readonly longestPauseMs?: number | undefined;
  readonly hints: RecognitionHints;
  /** Do not use a connection that was opened ahead of time: those may be dead, too, without this being known. */
  readonly connectsAnew?: boolean;
}

/** How the words relate to the expected sentences: one of them, one with which longer ones begin, or only the beginning of one. */
export type SentenceState = "whole" | "whole-so-far" | "beginning";

export interface RecognisedText {
  readonly text: string;
  /** Absent if the words match no expected sentence, or if the recogniser has no such list. */
  readonly sentence?: SentenceState | undefined;
  /**
   * For a final without text: what the caller may have said. It justifies a question, never an answer. If the recogniser is unsure of some
   * words only, these are in brackets: "a latte with [almond milk]".
   */
  readonly guess?: string | undefined;
  /** The beginning and end of the segment, in milliseconds of audio written to the stream. */
  readonly startMs: number;
  readonly endMs: number;
  readonly language: string;
  /** The recogniser itself has found `language` among several; otherwise it is the one that it was opened with. */
  readonly isIdentified?: boolean | undefined;
}

export interface RecognitionEvents {
  /** The text of the segment so far; each call replaces the previous text. */
  onPartial(partial: RecognisedText): void;
  /** The segment has ended. An empty text means that there was sound, but no words that the recogniser knows. */
  onFinal(final: RecognisedText): void;
  /**
   * The segment has ended, and there is no transcript: the service rejected this audio, or its response was unusable. The stream continues.
   * (If nothing was said, there is a final without text instead.)
   */
  onUnknown?(error: VoiceError): void;
  /** Audio was sent to a service for transcription, perhaps repeatedly. Only called if `sendsPieces` is set. */
  onSent?(audioMs: number): void;
  /** The stream is dead. The owner decides whether to open another and which audio to replay into it. */
  onError(error: VoiceError): void;
}

export interface RecognitionStream {
  /** PCM16 mono at `sampleRateHz`. The samples are copied before the call returns: the caller may reuse the buffer. */
  write(samples: Int16Array): void;
  /** Ends the current segment now instead of waiting for silence; its final follows (none if nothing was said). */
  flush(): void;
  /** Sets the hints for the next segment onwards. Called after a handoff. Returns false if only a new stream can use them. */
  setHints(hints: RecognitionHints): boolean;
  /** Idempotent. No callback runs afterwards. */
  close(): void;
}

export interface Recogniser {
  /** Only segments with speech are sent, each reported by `onSent`. Without this, everything that is written is charged for. */
  readonly sendsPieces?: true;
  /** Rejects with a `VoiceError` if no stream can be opened before the signal aborts. */
  open(options: RecognitionOptions, events: RecognitionEvents, signal: AbortSignal): Promise<RecognitionStream>;
  pool(): PoolFigures;
  close(): Promise<void>;
}

/** What `/pools` reports of a provider's clients; field names as there, in camel case. */
export interface PoolFigures {
  readonly ready: boolean;
  readonly warmSize: number;
  readonly warmTarget: number;
  readonly activeSessions: number;
  readonly allocationsTotal: number;
  readonly allocationsWarm: number;
  readonly allocationsCold: number;
  readonly warmupCycles: number;
  readonly warmupFailures: number;
  /** Absent if the provider does not know. */
  readonly basis?: StatusBasis | undefined;
  /** Why the last client could not be connected; cleared by a success. For readiness only: `/pools` has no field for it. */
  readonly lastErrorCode?: ErrorCode | undefined;
  /** The same reason as text for operators, if there is one. */
  readonly lastReason?: string | undefined;
}
