/** What the double of a model's service will respond next. */
export interface ScriptedAnswer {
  readonly kind: "completion";
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly argumentsJson: string }[];
}
