/** What the double of a model's service is to answer next. */
export interface ScriptedAnswer {
  readonly kind: "completion";
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly argumentsJson: string }[];
}
