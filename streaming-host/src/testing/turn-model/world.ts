/**
 * A conversation as a state that can be explored: the turn machine, its timers, and what the world around it knows
 * without looking into it: who speaks, which reply is being made or heard, which words of the caller are still to be
 * answered. Time is virtual and stands in the state.
 */
import type { ReplyKind, TurnTimer } from "../../session/turn/turn-effects.ts";
import { initialTurnState } from "../../session/turn/turn-state.ts";
import type { TurnState } from "../../session/turn/turn-state.ts";

export interface RunningTimer {
  readonly timer: TurnTimer;
  readonly dueMs: number;
}

/** A reply that was begun and neither heard to its end nor cancelled. */
export interface LiveReply {
  readonly turnId: string;
  readonly kind: ReplyKind;
  readonly isAudible: boolean;
  readonly isHeld: boolean;
  /** Less than a second of it is to be heard. */
  readonly isNearlyOver: boolean;
}

/** What the recogniser has heard and not yet given its final for. */
export interface Utterance {
  /** Undefined while it lasts. */
  readonly endedMs: number | undefined;
  readonly partial: string;
  /** The turn ended with its partial; its final says nothing new. */
  readonly isAnswered: boolean;
}

export interface World {
  readonly nowMs: number;
  readonly turn: TurnState;
  /** Those that run; the one that was set last stands last. */
  readonly timers: readonly RunningTimer[];
  readonly reply: LiveReply | undefined;
  /** The newest reply that is over. */
  readonly lastTurnId: string | undefined;
  /** The text whose answer is being prepared. */
  readonly prepared: string | undefined;
  /** The caller speaks since then. */
  readonly speaksSinceMs: number | undefined;
  readonly lastStoppedMs: number;
  /** Oldest first; recognisers report in order. */
  readonly utterances: readonly Utterance[];
  /** Final and typed texts that nothing has answered yet. */
  readonly owed: readonly string[];
  readonly isPaused: boolean;
  readonly effect: "transfer" | "hold" | undefined;
  /** The host has said that an answering machine talks. */
  readonly isVoicemail: boolean;
  /** Words of the caller may have been lost, and nobody has asked for them yet (TAKE-3). */
  readonly hasGap: boolean;
  readonly hasEnded: boolean;
  /** The rule that does not hold. */
  readonly broken: string | undefined;
}

export const newWorld: World = {
  nowMs: 100_000,
  turn: initialTurnState(0),
  timers: [],
  reply: undefined,
  lastTurnId: undefined,
  prepared: undefined,
  speaksSinceMs: undefined,
  lastStoppedMs: 0,
  utterances: [],
  owed: [],
  isPaused: false,
  effect: undefined,
  isVoicemail: false,
  hasGap: false,
  hasEnded: false,
  broken: undefined,
};

export function nextTimer({ timers }: World): RunningTimer | undefined {
  let next: RunningTimer | undefined;
  for (const timer of timers) if (next === undefined || timer.dueMs < next.dueMs) next = timer;
  return next;
}
