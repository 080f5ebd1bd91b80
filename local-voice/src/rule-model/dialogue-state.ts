/** Where one agent's conversation stands, and what a step of it needs and gives. */
import type { AnsweringAgent } from "@voice/provider-kit/ports/language-model";
import type { AgentRules } from "../rules/rules.ts";
import type { SlotValues } from "./match-intent.ts";

/** Something the caller wants, with what is known about it. */
export interface Wish {
  readonly intent: string;
  readonly slots: SlotValues;
}

/** A wish that comes after another one. */
export interface LaterWish extends Wish {
  /** It was asked for as well and does not depend on how the one before ends. */
  readonly regardless?: boolean | undefined;
}

/** An intent that is being worked on, and those that wait for it. */
export interface Task extends Wish {
  readonly resume: readonly LaterWish[];
}

/** A question is open: for a slot, or for a yes. */
export interface Asked extends Task {
  readonly question: string;
  readonly attempts: number;
  /** Digits of a code of which some are missing. */
  readonly digits?: string | undefined;
}

export interface DialogueState {
  readonly asked?: Asked | undefined;
  /** A tool was called and its answer is awaited. */
  readonly calling?: Task | undefined;
  /** What was done last: what a correction corrects, and what "and the other one?" is about. */
  readonly last?: Wish | undefined;
  /** What a yes would begin, for one answer long. */
  readonly offered?: Wish | undefined;
  /** A question that nobody has heard: whoever says nothing of their own is asked it. */
  readonly unheard?: string | undefined;
  /** Words that the caller may have said (TURN-16). `isOpen`: whether they did is being asked, and was not asked before. */
  readonly doubt?: { readonly guess: string; readonly isOpen: boolean } | undefined;
  /** Turns in a row that were not understood. */
  readonly misses: number;
  readonly lastSaid: string;
}

export interface DialogueOutcome {
  readonly say: string;
  readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> } | undefined;
}

export interface DialogueStep {
  readonly state: DialogueState;
  readonly outcome: DialogueOutcome;
}

export interface DialogueContext {
  readonly agent: AnsweringAgent;
  readonly rules: AgentRules;
  readonly memory: Readonly<Record<string, unknown>>;
  readonly todayMs: number;
  /** The tool and arguments for a handoff, undefined when this conversation does not offer it. */
  readonly handoff: (to: readonly string[], reason: string) => DialogueOutcome["call"];
}

export const initialState: DialogueState = { misses: 0, lastSaid: "" };

/** The turn was understood: no question is open, nothing is counted. */
export function answered({ lastSaid, last }: DialogueState): DialogueState {
  return { misses: 0, lastSaid, last };
}

export function speak(state: DialogueState, say: string): DialogueStep {
  return { state, outcome: { say } };
}

export function prefixed(words: string, step: DialogueStep): DialogueStep {
  return {
    ...step,
    outcome: { ...step.outcome, say: [words, step.outcome.say].filter((part) => part !== "").join(" ") },
  };
}
