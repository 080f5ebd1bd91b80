/** Notices about tool calls to peers and dashboards, in all modes. */
import { z } from "zod";
import { shownArguments } from "@voice/shared/tools/written-arguments";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import { toolFailed } from "@voice/shared/contracts/stream/tool-failed";
import type { SessionFailure } from "@voice/shared/state/ports/session-store";
import type { LateResult } from "../conversation/late-results.ts";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { SessionNotice } from "../../transports/transport.ts";

export function toolStartedNotice(call: ToolCall, turnId: string): SessionNotice {
  return {
    type: "tool_call",
    payload: {
      name: call.name,
      args: shownArguments(call.argumentsJson),
      result: null,
      status: "started",
      turn_id: turnId,
    },
  };
}

export function toolFinishedNotice(outcome: ToolCallResult, turnId: string): SessionNotice {
  return {
    type: "tool_call",
    payload: {
      name: outcome.call.name,
      args: outcome.args,
      result: outcome.result,
      status: outcome.status,
      ...(outcome.isFault === true && { is_fault: true }),
      duration_ms: outcome.durationMs,
      turn_id: turnId,
    },
  };
}

/** TIMELINE-3: what operators find among the failures of the conversation. The tool's own text may quote what it was sent. */
export function toolFailure({ call, result }: ToolCallResult, timestampMs: number): SessionFailure {
  const { error } = result;
  const reason = typeof error === "string" ? `: ${error.replaceAll("_", " ")}` : "";
  return { code: toolFailed, message: `The tool ${call.name} failed${reason}.`, timestampMs };
}

const anyResult = z.record(z.string(), z.unknown());

export function lateToolNotice({ call, content, turnId }: LateResult): SessionNotice {
  const result = anyResult.parse(JSON.parse(content));
  const status = result["success"] === false ? "error" : "success";
  const args = shownArguments(call.argumentsJson);
  return { type: "tool_call", payload: { name: call.name, args, result, status, turn_id: turnId } };
}
