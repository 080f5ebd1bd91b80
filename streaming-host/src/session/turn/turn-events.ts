/** The events of a conversation that the turn machine processes. */
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import type { EffectWords, HeardPart, TurnTimer } from "./turn-effects.ts";
import type { BegunTurn, FirstMove } from "./turn-state.ts";

export type ReplyFailure = "model" | "voice" | "stalled";

export type TimelessTurnEvent =
  /**
   * `announces`: an announcement has to be spoken first. `hasGap`: what the caller said before is not known (TAKE-3). `gapMs`: for how long
   * that may be so (TAKE-3h, TAKE-3i); absent: not known.
   */
  | {
      readonly type: "session-started";
      readonly firstMove: FirstMove;
      readonly announces?: boolean;
      readonly hasGap?: boolean;
      readonly gapMs?: number;
    }
  /** A sound louder than the line was noticed; it started at `sinceMs` and may become speech. */
  | { readonly type: "sound-started"; readonly sinceMs: number }
  /** The detector is certain that somebody has been speaking since `sinceMs`. */
  | { readonly type: "speech-started"; readonly sinceMs: number }
  /** The detector is certain that the speech ended at `stoppedMs`. */
  | { readonly type: "speech-stopped"; readonly stoppedMs: number; readonly prosody?: Prosody | undefined }
  /** A model has judged by the caller's voice, up to the pause that started at `stoppedMs`, whether they have finished. */
  | { readonly type: "voice-judged"; readonly stoppedMs: number; readonly probability: number }
  /** `endedMs`: when the words so far ended, according to the recogniser; undefined in older flight records. */
  | {
      readonly type: "partial";
      readonly text: string;
      readonly sentence?: SentenceState | undefined;
      readonly endedMs: number | undefined;
    }
  /**
   * `guess`: what the caller may have said (TURN-16). `endedMs`: when the words ended, according to the recogniser. `replyRemainingMs`: audio not yet heard, infinite while more is being
   * generated. `turn`: the turn that the words started, if they may become known only when their answer, or later words, are in the history.
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
  /** A single key, perhaps one of several: it shows that the caller is there. */
  | { readonly type: "key-pressed" }
  | { readonly type: "caller-finished" }
  /** The caller has spoken, and no recogniser can produce a transcript. */
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
  /** The service has started a response, whether or not it was requested. */
  | { readonly type: "response-started" }
  /**
   * The connection that was generating this reply is lost, and another one is being opened. `isHeardAgain`: the new one receives the speech
   * to which it was the answer, and answers it without a request.
   */
  | {
      readonly type: "reply-lost";
      readonly turnId: string;
      readonly isHeardAgain?: boolean | undefined;
      readonly cause?: FailureCause | undefined;
    }
  /**
   * The answer to what the caller has said was lost before anybody heard it, and the service will not answer again unless it is asked to.
   */
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
  /** The host carries out an effect on the call that a tool requested (a transfer); afterwards it reports whether it succeeded. */
  | { readonly type: "effect-started"; readonly isHold: boolean }
  /** While an effect is carried out: the caller was put on hold with music, or hears the agent again. */
  | { readonly type: "hold-changed"; readonly onHold: boolean }
  /** `words`: what the caller must be told about the outcome. */
  | { readonly type: "effect-ended"; readonly isHold: boolean; readonly words: EffectWords | undefined }
  /** Say goodbye now and end: the host drains, the call has lasted too long, or the caller can no longer be received. */
  | { readonly type: "farewell-requested"; readonly reason: string; readonly cause?: FailureCause | undefined }
  /** From now on the other party is an answering machine. */
  | { readonly type: "voicemail-answered" }
  /** The other party is a person after all. */
  | { readonly type: "voicemail-refuted" }
  /** Speak this text now and end; without a text, end at once. */
  | { readonly type: "last-words"; readonly text: string; readonly reason: string }
  /** OPS-3: an operator requests that the agent speak this line. */
  | { readonly type: "line-given"; readonly text: string; readonly lineId?: string | undefined }
  /** PERSON-4: a person takes the agent's place, and hands the conversation back. */
  | { readonly type: "person-joined" }
  | { readonly type: "person-left" }
  /** A final transcript of what that person said. */
  | { readonly type: "person-said"; readonly text: string; readonly endedMs: number }
  /** The reply that spoke an operator's line was cut off. */
  | { readonly type: "line-cut"; readonly turnId: string; readonly heard: HeardPart }
  /** `cause`: what a silent agent is waiting for, with the timer that gives up waiting. */
  | { readonly type: "timer"; readonly timer: TurnTimer; readonly cause?: FailureCause | undefined };

/** Decides nothing: it is in the flight record for people who investigate a problem. */
export interface FailureCause {
  readonly code: string;
  /** As in `VoiceError`: without secrets, names or anybody's text. */
  readonly reason?: string | undefined;
}

/** `atMs`: the time of the event on the session clock. */
export type TurnEvent = TimelessTurnEvent & { readonly atMs: number };
