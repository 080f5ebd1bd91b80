import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";

/** The outcome of a tool that has worked, but for what a test says otherwise. */
export const toolSucceeded = (call: ToolCall, more: Partial<ToolCallResult> = {}): ToolCallResult => ({
  call,
  args: {},
  result: { success: true },
  status: "success",
  durationMs: 5,
  memory: {},
  effects: [],
  ...more,
});
