/** The events of a conversation that the turn machine processes. */
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import type { EffectWords, TurnTimer } from "./turn-effects.ts";
import type { BegunTurn } from "./turn-state.ts";

export type ReplyFailure = "model" | "voice" | "stalled";

/** What the agent begins with: its greeting; TAKE-2, what another host left unanswered; or nothing. */
export type FirstMove = "greet" | "answer" | "listen";

export type TimelessTurnEvent =
  /** `announces`: something has to be said before that. `hasGap`: nobody knows what the caller said before (TAKE-3). */
  | {
      readonly type: "session-started";
      readonly firstMove: FirstMove;
      readonly announces?: boolean;
      readonly hasGap?: boolean;
    }
  /** Something louder than the line has been heard since `sinceMs`, which may become speech. */
  | { readonly type: "sound-started"; readonly sinceMs: number }
  /** The detector is certain that somebody has been speaking since `sinceMs`. */
  | { readonly type: "speech-started"; readonly sinceMs: number }
  /** The detector is certain that the speech ended at `stoppedMs`. */
  | { readonly type: "speech-stopped"; readonly stoppedMs: number; readonly prosody?: Prosody | undefined }
  /** A model has judged by the caller's voice, up to the pause that began at `stoppedMs`, whether they have finished. */
  | { readonly type: "voice-judged"; readonly stoppedMs: number; readonly probability: number }
  /** `endedMs`: when the recogniser says that the words so far ended; in older flight records, nobody knows. */
  | {
      readonly type: "partial";
      readonly text: string;
      readonly sentence?: SentenceState | undefined;
      readonly endedMs: number | undefined;
    }
  /**
   * `endedMs`: when the recogniser says that the words ended. `replyRemainingMs`: unheard audio, infinite while more is being made. `turn`:
   * the one that the words began, where they may be known only when their answer, or later words, are in the history.
   */
  | {
      readonly type: "final";
      readonly text: string;
      readonly sentence?: SentenceState | undefined;
      readonly guess?: string | undefined;
      readonly endedMs: number;
      readonly replyRemainingMs: number;
      readonly turn?: BegunTurn | undefined;
    }
  /** A whole turn at once: typed text, or collected keys. */
  | { readonly type: "whole-turn"; readonly text: string }
  /** One of several, perhaps: the caller is there. */
  | { readonly type: "key-pressed" }
  | { readonly type: "caller-finished" }
  /** The caller has said something, and no recogniser can tell what. */
  | { readonly type: "words-unknown"; readonly cause?: FailureCause | undefined }
  | { readonly type: "paused"; readonly isPaused: boolean }
  | { readonly type: "reply-audible"; readonly turnId: string }
  /** The model has produced the first words of this reply. */
  | { readonly type: "reply-written"; readonly turnId: string }
  | { readonly type: "reply-drained"; readonly turnId: string }
  | {
      readonly type: "reply-failed";
      readonly turnId: string;
      readonly failure: ReplyFailure;
      readonly cause?: FailureCause | undefined;
    }
  /** The service has begun a response, whether or not it was requested. */
  | { readonly type: "response-started" }
  /**
   * The connection that was generating this reply is lost; another one is being opened. `isHeardAgain`: that one hears the words to which
   * it was the answer, and answers them unasked.
   */
  | {
      readonly type: "reply-lost";
      readonly turnId: string;
      readonly isHeardAgain?: boolean | undefined;
      readonly cause?: FailureCause | undefined;
    }
  /** What the caller has said is not answered any more unless the service is asked to: its answer was lost before anybody heard it. */
  | { readonly type: "answer-lost" }
  /** A guardrail has stopped this reply and supplies replacement words. */
  | { readonly type: "reply-stopped"; readonly turnId: string; readonly text: string }
  /** The realtime model is lost. `hearsWords`: the caller has said something that was not recognised yet. */
  | {
      readonly type: "model-lost";
      readonly hearsWords: boolean;
      readonly isReplyUnfinished: boolean;
      readonly cause?: FailureCause | undefined;
    }
  /** A tool requested to end the call once this reply has been heard. */
  | { readonly type: "end-requested"; readonly reason: string }
  /** The host does something with the call that a tool asked for (a transfer); afterwards it says whether it could. */
  | { readonly type: "effect-started"; readonly isHold: boolean }
  /** While an effect is carried out: the caller was put on hold with music, or hears the agent again. */
  | { readonly type: "hold-changed"; readonly onHold: boolean }
  /** `words`: what the caller must be told about it. */
  | { readonly type: "effect-ended"; readonly isHold: boolean; readonly words: EffectWords | undefined }
  /** Say goodbye now and end: the host drains, the call has lasted too long, or nobody hears the caller any more. */
  | { readonly type: "farewell-requested"; readonly reason: string; readonly cause?: FailureCause | undefined }
  /** From now on the other party is an answering machine. */
  | { readonly type: "voicemail-answered" }
  /** They are a person after all. */
  | { readonly type: "voicemail-refuted" }
  /** Say these words now and end; without words, end at once. */
  | { readonly type: "last-words"; readonly text: string; readonly reason: string }
  /** OPS-3: an operator wants the agent to say this. */
  | { readonly type: "line-given"; readonly text: string }
  /** `cause`: what a silent agent waits for, with the timer that gives it up. */
  | { readonly type: "timer"; readonly timer: TurnTimer; readonly cause?: FailureCause | undefined };

/** Decides nothing: it is in the flight record for people who look for what went wrong. */
export interface FailureCause {
  readonly code: string;
  /** As in `VoiceError`: without secrets, names or anybody's text. */
  readonly reason?: string | undefined;
}

/** `atMs`: the time of the event on the session clock. */
export type TurnEvent = TimelessTurnEvent & { readonly atMs: number };
