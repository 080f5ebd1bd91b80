/** The state of one agent's dialogue, and the input and output of a step. */
import type { AnsweringAgent } from "@voice/provider-kit/ports/language-model";
import type { AgentMeanings } from "../meaning/agent-meanings.ts";
import type { AgentRules } from "../rules/rules.ts";
import type { SlotValues } from "./match-intent.ts";

/** Something the caller wants, with the slot values known so far. */
export interface IntentRequest {
  readonly intent: string;
  readonly slots: SlotValues;
}

/** A request that waits for another one. */
export interface PendingRequest extends IntentRequest {
  /** Whether the request is independent of the outcome of the one before it. */
  readonly regardless?: boolean | undefined;
  /** Whether the caller named it beside another request that the agent has dealt with first. */
  readonly isBesides?: boolean | undefined;
}

/** The request being worked on, and those that wait for it. */
export interface Task extends IntentRequest {
  readonly resume: readonly PendingRequest[];
}

/** An open question: for a slot's value or for a confirmation. */
export interface Asked extends Task {
  readonly question: string;
  readonly attempts: number;
  /** The digits so far of an incomplete code. */
  readonly digits?: string | undefined;
}

export interface Doubt {
  readonly guess: string;
  readonly isOpen: boolean;
  readonly isMeant?: boolean;
}

export interface DialogueState {
  readonly asked?: Asked | undefined;
  /** The task whose tool was called and has not answered yet. */
  readonly calling?: Task | undefined;
  /** The last request acted upon, to which corrections and "and the other one?" refer. */
  readonly last?: IntentRequest | undefined;
  /** The request that a yes to the agent's offer begins; valid for one answer. */
  readonly offered?: IntentRequest | undefined;
  /** A question that the caller did not hear; it is asked again unless the caller says something else. */
  readonly unheard?: string | undefined;
  /** The open question, if the caller interrupted before it was asked: a yes is then no answer to it. */
  readonly unasked?: string | undefined;
  /** Words that the caller may have said (TURN-16), or meant by others (EAR-33). `isOpen`: the agent has just asked whether they did. */
  readonly doubt?: Doubt | undefined;
  /** Consecutive turns that were not understood. */
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
  /** Without them, words are compared alone. */
  readonly meanings?: AgentMeanings | undefined;
  /** The tool and arguments for a handoff; undefined if this conversation does not offer it. */
  readonly handoff: (to: readonly string[], reason: string) => DialogueOutcome["call"];
}

export const initialState: DialogueState = { misses: 0, lastSaid: "" };

/** The turn was understood: closes the question and resets the count of misses. */
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
