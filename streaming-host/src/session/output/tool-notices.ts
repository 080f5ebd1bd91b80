/** What peers and dashboards are told about a tool call, in every mode alike. */
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

/** As far as the model's JSON can be read; the tool itself is strict about it. */
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
