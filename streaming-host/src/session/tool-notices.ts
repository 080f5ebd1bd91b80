/** What peers and dashboards are told about a tool call, in every mode alike. */
import type { ToolCallOutcome } from "../pipeline/cascade/agent-loop.ts";
import type { ModelToolCall } from "../providers/ports/language-model.ts";
import type { SessionNotice } from "../transports/transport.ts";

export function toolStartedNotice(call: ModelToolCall, turnId: string): SessionNotice {
  return {
    type: "tool_call",
    payload: { name: call.name, args: {}, result: null, status: "started", turn_id: turnId },
  };
}

export function toolFinishedNotice(outcome: ToolCallOutcome, turnId: string): SessionNotice {
  return {
    type: "tool_call",
    payload: {
      name: outcome.call.name,
      args: outcome.args,
      result: outcome.result,
      status: outcome.status,
      duration_ms: outcome.durationMs,
      turn_id: turnId,
    },
  };
}
