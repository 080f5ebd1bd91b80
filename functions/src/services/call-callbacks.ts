/**
 * Processes the communication service's callbacks about calls. Every step is idempotent: the record only moves forward,
 * the first outcome of an operation stands, and the event and its log entry are keyed by the event's id. State that
 * hosts decide from is stored before they are told.
 */
import { changeByCallback, logEntryOf, settledByCallback, type Callback } from "@voice/shared/calls/apply-callback";
import { findCall } from "@voice/shared/calls/find-call";
import { vendorCallback } from "@voice/shared/contracts/calls/vendor-callback";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallOperations } from "@voice/shared/state/ports/call-operations";
import type { CallStore } from "@voice/shared/state/ports/call-store";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { CallRequests } from "./call-requests.ts";
import type { VendorEvent } from "./delivered-events.ts";

interface CallbackDependencies {
  readonly calls: CallStore;
  readonly callOperations: CallOperations;
  readonly callRequests: CallRequests;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly traceparent?: string | undefined;
}

export interface CallbackOutcome {
  readonly processed: number;
  readonly failed: number;
  readonly callConnectionId: string | undefined;
}

/** The service's ids are never longer, and internal events limit the length of ids. */
const maxIdLength = 256;

/**
 * Rejects as soon as something cannot be stored: the sender then delivers everything again, and ids prevent it from being processed twice.
 * Acknowledging only the stored part would lose the rest. Events that no retry can fix are counted and do not block the others.
 */
export async function processCallbacks(
  events: readonly VendorEvent[],
  headerConnectionId: string | undefined,
  dependencies: CallbackDependencies,
): Promise<CallbackOutcome> {
  let processed = 0;
  let failed = 0;
  let callConnectionId: string | undefined;
  let fault: Error | undefined;
  // Processed in order, because later events of a delivery depend on the earlier ones.
  for (const event of events) {
    const content = vendorCallback.parse(event.data);
    const connectionId = content.callConnectionId ?? headerConnectionId;
    callConnectionId ??= connectionId;
    try {
      const isId = connectionId !== undefined && connectionId.length <= maxIdLength;
      const atMs = event.timeMs ?? dependencies.clock.wallNow();
      const isKnown =
        isId &&
        (await processOne({ eventId: event.id, type: event.type, atMs, connectionId, content }, event, dependencies));
      if (isKnown) processed += 1;
      else failed += 1;
    } catch (error) {
      if (mayWorkLater(error)) throw repeatable(error);
      dependencies.logger.error({ error, callbackType: event.type }, "a callback cannot be applied");
      failed += 1;
      fault ??= toVoiceError(error);
    }
  }
  // Nothing was done because of a bug of ours; a retry may reach a fixed version.
  if (processed === 0 && fault !== undefined) throw fault;
  return { processed, failed, callConnectionId };
}

/** This includes losing eight compare-and-set races: the record was busy, not invalid. */
function mayWorkLater(error: unknown): boolean {
  return error instanceof VoiceError && (error.retryable || error.code === "conflict");
}

/** A conflict would be answered with 409, and the sender does not retry after 4xx. */
function repeatable(error: unknown): unknown {
  const isRace = error instanceof VoiceError && error.code === "conflict";
  return isRace ? new VoiceError("dependency_not_ready", "a call's record is too busy", { cause: error }) : error;
}

/** False when the call is not one of ours. */
async function processOne(
  callback: Callback,
  { source, data }: VendorEvent,
  { calls, callOperations, callRequests, traceparent }: CallbackDependencies,
): Promise<boolean> {
  const { eventId, type, atMs, connectionId, content } = callback;
  // A call that we have placed or answered is named by the context that we gave with it.
  const found = await findCall(calls, { connectionId, callId: content.operationContext });
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
    payload: data,
    // The service calls back without a trace context, and people look for the event in the call's trace.
    traceparent: found.traceparent ?? traceparent,
  });
  await calls.appendEvent(callId, { eventId, timestampMs: atMs, ...logEntryOf(callback, call) });
  return true;
}
