/** What the local rule model answers by. */
export interface AgentRules {
  readonly rules: readonly Rule[];
  /** Asked when nothing matched; the second time in a row the agent escalates. */
  readonly fallback: string;
  readonly escalation: Rule["then"];
}

/** One thing callers want, recognised by the nearness of what they said to the examples. */
export interface Rule {
  readonly intent: string;
  readonly examples: readonly string[];
  readonly then: {
    readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, string>> } | undefined;
    readonly say?: string | undefined;
  };
}
