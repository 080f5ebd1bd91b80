/** Where one agent's conversation stands, and what a step of it needs and gives. */
import type { AgentRules } from "@voice/shared/catalog/rules";
import type { SlotValues } from "./match-intent.ts";

/** An intent that is being worked on, and those that wait for it. */
export interface Task {
  readonly intent: string;
  readonly slots: SlotValues;
  readonly resume: readonly { readonly intent: string; readonly slots: SlotValues }[];
}

export interface DialogueState {
  /** A question is open: for a slot, or for a yes. */
  readonly asked?: (Task & { readonly question: string; readonly attempts: number }) | undefined;
  /** A tool was called and its answer is awaited. */
  readonly calling?: Task | undefined;
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
  readonly agent: string;
  readonly rules: AgentRules;
  readonly memory: Readonly<Record<string, unknown>>;
  readonly todayMs: number;
  /** The tool and arguments for a handoff, undefined when this conversation does not offer it. */
  readonly handoff: (to: readonly string[], reason: string) => DialogueOutcome["call"];
}

export const initialState: DialogueState = { misses: 0, lastSaid: "" };
