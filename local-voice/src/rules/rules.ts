/**
 * The rules that the local model follows. They are data: an agent's rules.yaml after validation, with templates not yet
 * rendered. A template sees `slots`, `memory`, `result` and `resuming` (after a tool: its result, and whether another
 * intent waited for it), `agent_name` and the agent's own variables.
 */

export const slotTypes = ["digits", "number", "amount", "date", "name", "choice", "text"] as const;
export type SlotType = (typeof slotTypes)[number];

/** A value that must be known before an intent can be acted on. */
export interface Slot {
  readonly name: string;
  readonly type: SlotType;
  /** The question to ask if the value is missing. A slot without one is optional. */
  readonly ask?: string | undefined;
  /** The question that takes the place of `ask` after an answer that was not understood. */
  readonly retry?: string | undefined;
  /** What the agent says before it repeats the question to a caller who asks what it is for, or does not know. */
  readonly help?: string | undefined;
  /** Sentences that answer the question, with `{slot}` for the value; the bare value is always understood. */
  readonly answers?: readonly string[] | undefined;
  /** The number of digits of a `digits` slot. */
  readonly length?: number | undefined;
  /** A `date` without a year or a week is the next such day, not the latest. */
  readonly future?: true | undefined;
  /** For `choice`: the value and the words that mean it. */
  readonly options?: Readonly<Record<string, readonly string[]>> | undefined;
  /** A value in the session's memory that fills the slot without asking. */
  readonly memory?: string | undefined;
  /** Used if neither the caller nor the memory gave a value. */
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
      /** The first of these that the conversation offers is used; if it offers none, the intent does not exist. */
      readonly to: readonly string[];
      readonly reason: string;
    }
  | { readonly type: "repeat" };

/** What happens after the tool's result. */
export interface FollowUp {
  readonly say?: string | undefined;
  /** An intent with which to continue, as if the caller had asked for it; slots of the same name carry over. */
  readonly next?: string | undefined;
  /** An intent that begins if the caller answers yes; slots of the same name carry over. */
  readonly offer?: string | undefined;
}

/** One thing that callers want, recognised by how close their words are to the examples. */
export interface Intent {
  readonly name: string;
  /** Sentences, lower case, no punctuation; `{slot}` stands for the slot's value. */
  readonly examples: readonly string[];
  readonly slots: readonly Slot[];
  /** An intent that has to come first unless this value in memory is set, such as identification before balances. */
  readonly first?: { readonly intent: string; readonly unless: string } | undefined;
  /** A yes-or-no question before the action. */
  readonly confirm?: string | undefined;
  readonly declined?: string | undefined;
  /** Asked if the caller spoke over the announcement, so that the action was not carried out. */
  readonly still?: string | undefined;
  /** An aside: the question that was open before it stays open. */
  readonly aside?: boolean | undefined;
  readonly action: IntentAction;
  readonly after: {
    readonly success?: FollowUp | undefined;
    readonly failure?: FollowUp | undefined;
    /** By the `error` code in the tool's result: what the agent says instead of `failure`. */
    readonly errors?: Readonly<Record<string, FollowUp>> | undefined;
  };
}

/** What the agent says about itself to callers who ask for something else or are not understood again. */
export interface Orientation {
  /** The intent whose reply says what the agent can do. */
  readonly intent: string;
  /** What the agent says before that reply, after a question that it cannot answer. */
  readonly offTopic: string;
  /** What the agent says before that reply, after the second sentence in a row that it has not understood. */
  readonly again: string;
}

export interface AgentRules {
  readonly intents: readonly Intent[];
  /** What the agent says when no intent matches. */
  readonly fallback: string;
  /** Absent if the agent cannot say what it can do. */
  readonly orientation?: Orientation | undefined;
  /** What the agent says after a discreet handoff if the caller's last words match none of its intents. */
  readonly arrival: string;
  /** The action after the third miss in a row: usually `escalate_human`. */
  readonly escalation: IntentAction;
}

/** For agents that only a cloud model can run. */
export const noRules: AgentRules = {
  intents: [],
  fallback: "Sorry, I did not catch that.",
  arrival: "How can I help?",
  escalation: { type: "say", say: "Sorry, I still did not catch that." },
};
