/** A scripted conversation: what the caller does in each step, and what is expected in return. */

export interface ExpectedTool {
  readonly name: string;
  /** Each of these must be among the arguments; others may be there too. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
}

export type CallerAction =
  /** Spoken with `--audio`, typed otherwise. */
  | { readonly kind: "say"; readonly text: string }
  /** Speech of the length of these words in which nobody understands a word. */
  | { readonly kind: "unclear"; readonly text: string }
  /** Always typed, as in a chat window. */
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "dtmf"; readonly keys: string };

export type WordlessAction =
  /** A short sound without a voice. */
  | { readonly kind: "cough" }
  /** The client stops the conversation with `pause`, and continues it with `start`. */
  | { readonly kind: "pause"; readonly lastingMs: number };

export type DialogueAction = CallerAction | WordlessAction;

export function isWordless(action: DialogueAction): action is WordlessAction {
  return action.kind === "cough" || action.kind === "pause";
}

export interface Expectations {
  /** All tools that are called, in order, without handoffs; empty for none, undefined where any are accepted. */
  readonly tools?: readonly ExpectedTool[] | undefined;
  /** The agents that take over, in order; empty for none. */
  readonly handoffs?: readonly string[] | undefined;
  /** The agent that is active when the answer is over. */
  readonly agent?: string | undefined;
  readonly answerHas: readonly string[];
  /** One of these is enough; empty for no such expectation. */
  readonly answerHasAny?: readonly string[] | undefined;
  readonly answerLacks: readonly string[];
  /** The agent says nothing. */
  readonly noAnswer?: true | undefined;
  /** From the caller's last word to the first audio of the answer. */
  readonly withinMs?: number | undefined;
  /** The reason for which the conversation ends with this step; `true` for any. */
  readonly ends?: string | true | undefined;
}

export interface DialogueStep {
  readonly action: DialogueAction;
  /** Begins while the previous answer (or the greeting) plays, this long after its first audio. */
  readonly interruptAfterMs?: number | undefined;
  readonly expects: Expectations;
}

export interface Dialogue {
  /** Relative to the catalog's folder. */
  readonly file: string;
  readonly name: string;
  readonly scenario: string;
  /** Replaces the scenario's start agent. */
  readonly agent?: string | undefined;
  /** A made-up customer instead of the demo customer; the same seed makes the same one. */
  readonly profileSeed?: number | undefined;
  /** The id of a customer of TOOLS_DIR. */
  readonly customer?: string | undefined;
  readonly greetingHas: readonly string[];
  readonly steps: readonly DialogueStep[];
}
