/** Notices about tool calls to peers and dashboards, in all modes. */
import { z } from "zod";
import type { ToolCallOutcome } from "../../pipeline/cascade/tool-call-outcome.ts";
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { SessionNotice } from "../../transports/transport.ts";

export function toolStartedNotice(call: ModelToolCall, turnId: string): SessionNotice {
  return {
    type: "tool_call",
    payload: { name: call.name, args: readArguments(call), result: null, status: "started", turn_id: turnId },
  };
}

const argumentsObject = z.record(z.string(), z.unknown());

/** Empty if the model's JSON is invalid; the tool itself validates strictly. */
function readArguments({ argumentsJson }: ModelToolCall): Record<string, unknown> {
  try {
    return argumentsObject.catch({}).parse(JSON.parse(argumentsJson));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
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
