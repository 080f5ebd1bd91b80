/**
 * What the local model answers by. Rules are data: an agent's rules.yaml after validation, templates not yet rendered.
 * A template sees `slots`, `memory`, `result` and `resuming`
 * (after a tool: its result, and whether another intent waited for it), `agent_name` and the agent's own variables.
 */

export const slotTypes = ["digits", "number", "amount", "date", "name", "choice", "text"] as const;
export type SlotType = (typeof slotTypes)[number];

/** Something that must be known before an intent can be acted on. */
export interface Slot {
  readonly name: string;
  readonly type: SlotType;
  /** Asked when it is missing. A slot without a question is optional. */
  readonly ask?: string | undefined;
  /** Asked instead of `ask` when the answer made no sense. */
  readonly retry?: string | undefined;
  /** Said before the question is put again to a caller who asks what it is for, or does not know. */
  readonly help?: string | undefined;
  /** Sentences that answer the question, with `{slot}` for the value; the bare value is always understood. */
  readonly answers?: readonly string[] | undefined;
  /** How many digits a `digits` slot has. */
  readonly length?: number | undefined;
  /** For `choice`: the value and the words that mean it. */
  readonly options?: Readonly<Record<string, readonly string[]>> | undefined;
  /** A value in the session's memory that fills the slot without asking. */
  readonly memory?: string | undefined;
  /** Used when neither the caller nor the memory gave one. */
  readonly fallback?: string | undefined;
}

export type IntentAction =
  | { readonly type: "say"; readonly say: string }
  | {
      readonly type: "call";
      readonly say?: string | undefined;
      readonly tool: string;
      readonly args: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "handoff";
      readonly say?: string | undefined;
      /** The first one that this conversation offers is taken; with none of them the intent does not exist. */
      readonly to: readonly string[];
      readonly reason: string;
    }
  | { readonly type: "repeat" };

/** What happens after the tool answered. */
export interface FollowUp {
  readonly say?: string | undefined;
  /** An intent to go on with, as if the caller had asked for it; slots of the same name carry over. */
  readonly next?: string | undefined;
  /** An intent that begins when the caller answers with a yes; slots of the same name carry over. */
  readonly offer?: string | undefined;
}

/** One thing callers want, recognised by the nearness of what they said to the examples. */
export interface Intent {
  readonly name: string;
  /** Sentences, lower case, no punctuation; `{slot}` stands for the slot's value. */
  readonly examples: readonly string[];
  readonly slots: readonly Slot[];
  /** Another intent that comes first unless this value in memory is set: identity before balances. */
  readonly first?: { readonly intent: string; readonly unless: string } | undefined;
  /** A yes-or-no question before the action. */
  readonly confirm?: string | undefined;
  readonly declined?: string | undefined;
  /** Asked when the caller spoke over the announcement, so that it was not done. */
  readonly still?: string | undefined;
  /** Said or done in between: the question that was open before is open afterwards. */
  readonly aside?: boolean | undefined;
  readonly action: IntentAction;
  readonly after: {
    readonly success?: FollowUp | undefined;
    readonly failure?: FollowUp | undefined;
    /** Instead of `failure`, by the `error` code in the tool's result. */
    readonly errors?: Readonly<Record<string, FollowUp>> | undefined;
  };
}

/** What a caller is told who asks for something else, or is not understood again. */
export interface Orientation {
  /** The intent whose words say what the agent can do. */
  readonly intent: string;
  /** Said before them to a question that is none of the agent's. */
  readonly offTopic: string;
  /** Said before them after the second miss in a row. */
  readonly again: string;
}

export interface AgentRules {
  readonly intents: readonly Intent[];
  /** Said when nothing matched. */
  readonly fallback: string;
  /** Absent for an agent that has no words for what it can do. */
  readonly orientation?: Orientation | undefined;
  /** Said when a caller is handed over in silence and what they said last means nothing to this agent. */
  readonly arrival: string;
  /** What the third miss in a row leads to: usually `escalate_human`. */
  readonly escalation: IntentAction;
}

/** For agents that only a cloud model can play. */
export const noRules: AgentRules = {
  intents: [],
  fallback: "Sorry, I did not catch that.",
  arrival: "How can I help?",
  escalation: { type: "say", say: "Sorry, I still did not catch that." },
};
