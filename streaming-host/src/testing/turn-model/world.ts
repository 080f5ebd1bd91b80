/**
 * A conversation as a state that can be explored: the turn machine, its timers, and what is known around it without
 * looking into it: who is speaking, which reply is being made or heard, and which of the caller's words have not been
 * answered. Time is virtual and part of the state.
 */
import type { ReplyKind, TurnTimer } from "../../session/turn/turn-effects.ts";
import { initialTurnState } from "../../session/turn/turn-state.ts";
import type { TurnState } from "../../session/turn/turn-state.ts";

/** A word that confirms and says nothing. */
export const backchannel = "okay";

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
  /** Less than a second of it remains to be heard. */
  readonly isNearlyOver: boolean;
}

/** What the recogniser has heard but not yet given its final for. */
export interface Utterance {
  /** Undefined while the speech lasts. */
  readonly endedMs: number | undefined;
  readonly partial: string;
  /** The turn ended with its partial; its final adds nothing. */
  readonly isAnswered: boolean;
}

export interface World {
  readonly nowMs: number;
  readonly turn: TurnState;
  /** The running timers, in the order in which they were set. */
  readonly timers: readonly RunningTimer[];
  readonly reply: LiveReply | undefined;
  /** The latest reply that is over. */
  readonly lastTurnId: string | undefined;
  /** The text whose answer is being prepared. */
  readonly prepared: string | undefined;
  /** The caller has begun to speak since then. */
  readonly speaksSinceMs: number | undefined;
  readonly lastStoppedMs: number;
  /** Oldest first; recognisers report in order. */
  readonly utterances: readonly Utterance[];
  /** Final and typed texts that have not been answered yet. */
  readonly unanswered: readonly string[];
  /** Operators' lines that were given, and neither heard nor refused. */
  readonly owedLines: number;
  /** A person has taken the agent's place. */
  readonly hasPerson: boolean;
  readonly isPaused: boolean;
  readonly effect: "transfer" | "hold" | undefined;
  /** EFFECT-11: the network's, in the middle of a transfer. */
  readonly hearsMusic: boolean;
  /** The host has reported that an answering machine took the call. */
  readonly isVoicemail: boolean;
  /** The caller was asked to repeat what they had said (TAKE-3); nothing was answered since. */
  readonly isAskedToRepeat: boolean;
  /** Words of the caller may have been lost, and the caller has not yet been asked to repeat them (TAKE-3). */
  readonly hasGap: boolean;
  readonly hasEnded: boolean;
  /** The broken rule. */
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
  unanswered: [],
  owedLines: 0,
  hasPerson: false,
  isPaused: false,
  effect: undefined,
  hearsMusic: false,
  isVoicemail: false,
  isAskedToRepeat: false,
  hasGap: false,
  hasEnded: false,
  broken: undefined,
};

/** The agent's silence is meant, and ended by others; an answering machine is answered when its greeting is over. */
export function isMeantToBeSilent({ isPaused, isVoicemail, effect, hearsMusic, hasPerson }: World): boolean {
  return isPaused || hasPerson || isVoicemail || effect === "hold" || hearsMusic;
}

export function nextTimer({ timers }: World): RunningTimer | undefined {
  let next: RunningTimer | undefined;
  for (const timer of timers) if (next === undefined || timer.dueMs < next.dueMs) next = timer;
  return next;
}
