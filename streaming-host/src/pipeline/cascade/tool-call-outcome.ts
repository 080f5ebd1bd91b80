/** The outcome of one tool call, for the loop, the session and the notices. */
import type { ToolEffect } from "@voice/shared/tools/tool";
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";

export interface ToolCallOutcome {
  readonly call: ModelToolCall;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly status: "success" | "error";
  /** The tool could not do its work. */
  readonly isFault?: true | undefined;
  readonly durationMs: number;
  readonly memory: Readonly<Record<string, unknown>>;
  readonly effects: readonly ToolEffect[];
}
