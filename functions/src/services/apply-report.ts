/**
 * Applies what a telephone service reports about a call, whichever service it is. Every step is idempotent: the record only moves forward,
 * the first outcome of an operation stands, and the event and its log entry are keyed by the report's id. State that hosts decide from is
 * stored before they are told.
 */
import { changeByCallback, logEntryOf, settledByCallback, type Callback } from "@voice/shared/calls/apply-callback";
import { findCall } from "@voice/shared/calls/find-call";
import type { CallOperations } from "@voice/shared/state/ports/call-operations";
import type { CallStore } from "@voice/shared/state/ports/call-store";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { CallRequests } from "./call-requests.ts";

export interface ReportDependencies {
  readonly calls: CallStore;
  readonly callOperations: CallOperations;
  readonly callRequests: CallRequests;
  readonly traceparent?: string | undefined;
}

/** `source`: who reports it, in the service's words. False when the call is not one of ours. */
export async function applyReport(
  callback: Callback,
  source: string,
  { calls, callOperations, callRequests, traceparent }: ReportDependencies,
): Promise<boolean> {
  const { eventId, type, atMs, connectionId, content } = callback;
  // A call that we have placed or answered is named by the context that we gave with it.
  const found = await findCall(calls, { connectionId, callId: callback.callId ?? content.operationContext });
  if (found === undefined) return false;
  const { callId } = found;
  const call = await updateWithRetry({
    read: async () => (await calls.get(callId)) ?? found,
    decide: (record) => changeByCallback(record, callback),
    write: (record, patch) => calls.update(callId, record.version, patch),
  });
  const settled = settledByCallback(callback);
  if (settled !== undefined)
    await callOperations.settle({ callId, operationContext: settled.operationContext }, settled.outcome);
  await callRequests.report({
    eventId,
    callId,
    callConnectionId: connectionId,
    callbackType: type,
    source,
    payload: content,
    // The service calls back without a trace context, and people look for the event in the call's trace.
    traceparent: found.traceparent ?? traceparent,
  });
  await calls.appendEvent(callId, { eventId, timestampMs: atMs, ...logEntryOf(callback, call) });
  return true;
}
