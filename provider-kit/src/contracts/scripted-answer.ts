import type { ToolCall } from "@voice/shared/tools/tool-call";

/** What the double of a model's service will respond next. */
export interface ScriptedAnswer {
  readonly kind: "completion";
  readonly text?: string;
  readonly toolCalls?: readonly ToolCall[];
}
