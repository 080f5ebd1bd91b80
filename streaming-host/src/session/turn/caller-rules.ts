/** Turns the caller's events into turns. There is one implementation for each policy on who ends turns. */
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { TimelessTurnEvent } from "./turn-events.ts";
import type { TurnStep } from "./turn-step.ts";

/** The partial transcript of an utterance without a final. */
type PartialWords = Omit<Extract<TimelessTurnEvent, { type: "partial" }>, "type">;
export type RecognisedWords = Omit<Extract<TimelessTurnEvent, { type: "final" }>, "type">;

/** An event without a rule changes nothing. */
export interface CallerRules {
  /** BARGE-11. */
  onSoundStarted?(step: TurnStep, sinceMs: number): void;
  onSpeechStarted?(step: TurnStep, sinceMs: number): void;
  onSpeechStopped?(step: TurnStep, stoppedMs: number, prosody: Prosody | undefined): void;
  /** TURN-17. */
  onVoiceJudged?(step: TurnStep, stoppedMs: number, probability: number): void;
  onPartial?(step: TurnStep, words: PartialWords): void;
  onFinal?(step: TurnStep, words: RecognisedWords): void;
  /** TURN-8. */
  onWholeTurn?(step: TurnStep, text: string): void;
  /** TURN-12. */
  onCallerFinished?(step: TurnStep): void;
  /** BARGE-3: a sound over the agent's speech was not followed by words. */
  onFalseAlarmDue?(step: TurnStep): void;
  /** The client has paused, so no more audio arrives. */
  onPaused?(step: TurnStep): void;
  /** The agent has stopped speaking: what the caller said meanwhile becomes a turn (TURN-11). */
  onFloorFree?(step: TurnStep): void;
}
