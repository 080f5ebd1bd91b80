/**
 * Speech in, text out. One stream serves one session; it hears every frame of the call, silence included, and does its
 * own segmentation, as cloud recognisers do. Callbacks, not iterators: frames arrive 50 times a second per session.
 */
import type { ErrorCode, VoiceError } from "@voice/shared/platform/errors";

/** The kind of answer that the agent has asked for. */
export type AwaitedAnswer = AwaitedDigits | AwaitedGreeting;

export interface AwaitedDigits {
  readonly type: "digits";
  /** How many, where it is known. */
  readonly length?: number | undefined;
  /** How many of them are missing, where the caller has said the others already: these may come alone, or the code as a whole. */
  readonly missing?: number | undefined;
}

/** Nobody has spoken yet but the agent, which has asked for no number: a greeting is likelier than a bare number that sounds like one. */
export interface AwaitedGreeting {
  readonly type: "greeting";
}

export interface RecognitionHints {
  /**
   * Sentences that a caller may say here, `{digits}` and the like standing for values. Every recogniser is told, as it is told
   * names: one with a grammar builds it from them, one with a language model of its own may do without.
   */
  readonly examples: readonly string[];
  /** Names and terms worth a bias (customers, products). */
  readonly phrases: readonly string[];
  /** What the agent that has the floor hears; the stream's language where absent. */
  readonly language?: string | undefined;
  /** Most probably the next thing that is said; anything else may be. */
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
   * The owner decides when the caller has finished, and flushes then. A recogniser that can goes on with the same segment
   * through pauses up to this length, says what it has heard when one begins, and forgets no audio of a sentence that was
   * flushed in its middle. One that cannot goes by `segmentationSilenceMs`, and what it finalises is joined by the owner.
   */
  readonly longestPauseMs?: number | undefined;
  readonly hints: RecognitionHints;
  /** Not over a connection that was made ahead of time: those may be dead, too, without knowing it. */
  readonly connectsAnew?: boolean;
}

/**
 * How the words stand to the sentences that are expected: one of them, one that longer ones begin with, or the beginning of
 * one.
 */
export type SentenceState = "whole" | "whole-so-far" | "beginning";

export interface RecognisedText {
  readonly text: string;
  /** Absent where the words are none of the expected ones, or the recogniser has no such list. */
  readonly sentence?: SentenceState | undefined;
  /** Of a final without a text: what it may have been. Worth a question, and never an answer. */
  readonly guess?: string | undefined;
  /** Milliseconds of audio written to the stream before the segment began and when it ended. */
  readonly startMs: number;
  readonly endMs: number;
  readonly language: string;
}

export interface RecognitionEvents {
  /** What the segment sounds like so far; each replaces the one before. */
  onPartial(partial: RecognisedText): void;
  /** The segment is over. An empty text means that there was sound but no words the recogniser knows. */
  onFinal(final: RecognisedText): void;
  /**
   * The segment is over, and nobody knows what was said in it: the service refused this audio, or answered nothing that makes sense. The
   * stream goes on. (That nothing was said is a final without text.)
   */
  onUnknown?(error: VoiceError): void;
  /** Audio that was sent away to be transcribed, perhaps again. Only where `sendsPieces` says so. */
  onSent?(audioMs: number): void;
  /** The stream is dead. The owner decides whether to open another and what to replay into it. */
  onError(error: VoiceError): void;
}

export interface RecognitionStream {
  /** PCM16 mono at `sampleRateHz`. The samples are copied before the call returns: the caller may reuse the buffer. */
  write(samples: Int16Array): void;
  /** Ends the running segment now instead of waiting for silence; its final follows (none if nothing was said). */
  flush(): void;
  /** From the next segment on, expect these. A handoff calls it. False: only a new stream can expect them. */
  setHints(hints: RecognitionHints): boolean;
  /** Idempotent. No callback runs after it was called. */
  close(): void;
}

export interface Recogniser {
  /** It sends away only pieces with speech, and tells of each; everything that is written costs money otherwise. */
  readonly sendsPieces?: true;
  /** Rejects with a `VoiceError` when no stream can be had within the signal's life. */
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
  /** Why the last client could not be connected, until one can; for readiness, `/pools` has no place for it. */
  readonly lastErrorCode?: ErrorCode | undefined;
  /** The same in words for operators, where its maker had any. */
  readonly lastReason?: string | undefined;
}
