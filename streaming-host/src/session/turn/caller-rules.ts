/** Turns the caller's events into turns. There is one implementation for each policy on who ends turns. */
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import type { BegunTurn } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** The partial transcript of an utterance without a final. */
export interface PartialWords {
  readonly text: string;
  readonly sentence?: SentenceState | undefined;
  /** When the words ended, on the session's clock; unknown in older flight records. */
  readonly endedMs: number | undefined;
}

export interface RecognisedWords {
  readonly text: string;
  readonly sentence?: SentenceState | undefined;
  /** TURN-16: what the caller may have said. */
  readonly guess?: string | undefined;
  /** When the words ended, on the session's clock. */
  readonly endedMs: number;
  /** Audio of the current reply not yet heard; infinite while more is being generated. */
  readonly replyRemainingMs: number;
  /** As in the event `final`. */
  readonly turn?: BegunTurn | undefined;
}

export interface CallerRules {
  /** BARGE-11. */
  onSoundStarted(step: TurnStep, sinceMs: number): void;
  onSpeechStarted(step: TurnStep, sinceMs: number): void;
  onSpeechStopped(step: TurnStep, stoppedMs: number, prosody: Prosody | undefined): void;
  /** TURN-17. */
  onVoiceJudged(step: TurnStep, stoppedMs: number, probability: number): void;
  onPartial(step: TurnStep, words: PartialWords): void;
  onFinal(step: TurnStep, words: RecognisedWords): void;
  /** TURN-8. */
  onWholeTurn(step: TurnStep, text: string): void;
  /** TURN-12. */
  onCallerFinished(step: TurnStep): void;
  /** BARGE-3: a sound over the agent's speech was not followed by words. */
  onFalseAlarmDue(step: TurnStep): void;
  /** The client has paused, so no more audio arrives. */
  onPaused(step: TurnStep): void;
  /** The agent has stopped speaking: what the caller said meanwhile becomes a turn (TURN-11). */
  onFloorFree(step: TurnStep): void;
}
