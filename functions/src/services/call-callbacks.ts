/**
 * What the communication service reports about a call. Every step may be repeated: the status only moves forward, the
 * event is handed on under its own id, and the log entry, written last, marks that all of it was done.
 */
import { describeFailure } from "@voice/shared/calls/failure-reason";
import { announcedStatus, isLegalTransition, shortEventType } from "@voice/shared/calls/call-transitions";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallParticipant, CallPatch, CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "./call-automation.ts";
import { isObject, objectField, textField, type VendorEvent } from "./delivered-events.ts";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";

interface CallbackDependencies {
  readonly calls: CallStore;
  readonly callAutomation: CallAutomation;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CallbackOutcome {
  readonly processed: number;
  readonly failed: number;
  readonly callConnectionId: string | undefined;
}

/** Longer ones are nobody's, and internal events have no room for them. */
const maxIdLength = 256;

/**
 * Rejects as soon as something cannot be stored: the sender then delivers all of it again, and what was done is known by
 * its id and not done twice. Acknowledging the part that was done would lose the rest. What no repetition can mend is
 * counted, and does not hold up the others.
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
  // In order: later events of a delivery mean nothing without the earlier ones.
  for (const event of events) {
    const connectionId = textField(event.data, "callConnectionId") ?? headerConnectionId;
    callConnectionId ??= connectionId;
    try {
      const isId = connectionId !== undefined && connectionId.length <= maxIdLength;
      const isKnown = isId && (await processOne(event, connectionId, dependencies));
      if (isKnown) processed += 1;
      else failed += 1;
    } catch (error) {
      if (mayWorkLater(error)) throw repeatable(error);
      dependencies.logger.error({ error, callbackType: event.type }, "a callback cannot be applied");
      failed += 1;
      fault ??= toVoiceError(error);
    }
  }
  // Nothing was done, and it is our fault: the next version may do better.
  if (processed === 0 && fault !== undefined) throw fault;
  return { processed, failed, callConnectionId };
}

/** Also a race lost eight times: the record was busy, not wrong. */
function mayWorkLater(error: unknown): boolean {
  return error instanceof VoiceError && (error.retryable || error.code === "conflict");
}

/** A conflict would be a 409, and 4xx is not delivered again. */
function repeatable(error: unknown): unknown {
  const isRace = error instanceof VoiceError && error.code === "conflict";
  return isRace ? new VoiceError("dependency_not_ready", "a call's record is too busy", { cause: error }) : error;
}

/** False when the call is not one of ours. */
async function processOne(
  event: VendorEvent,
  connectionId: string,
  dependencies: CallbackDependencies,
): Promise<boolean> {
  const { calls, callAutomation, clock } = dependencies;
  const found = await findCall(event, connectionId, calls);
  if (found === undefined) return false;
  const nowMs = event.timeMs ?? clock.wallNow();
  await updateWithRetry({
    read: async () => (await calls.get(found.callId)) ?? found,
    decide: (record) => changeFor(record, event, connectionId, nowMs),
    write: async (record, patch) => calls.update(record.callId, record.version, patch),
  });
  await callAutomation.report({
    eventId: event.id,
    callId: found.callId,
    callConnectionId: connectionId,
    callbackType: event.type,
    source: event.source,
    payload: event.data,
  });
  await calls.appendEvent(found.callId, {
    eventId: event.id,
    type: event.type,
    timestampMs: nowMs,
    details: detailsOf(event),
  });
  return true;
}

/** An event may arrive before whoever placed the call has learned its connection id; the context then names the call. */
async function findCall(event: VendorEvent, connectionId: string, calls: CallStore): Promise<CallRecord | undefined> {
  const byConnection = await calls.getByConnection(connectionId);
  if (byConnection !== undefined) return byConnection;
  const operationContext = textField(event.data, "operationContext");
  if (operationContext === undefined || operationContext.length > 128) return undefined;
  const byContext = await calls.get(operationContext);
  // Whoever placed it may have learned the id since the first look.
  return [undefined, connectionId].includes(byContext?.callConnectionId) ? byContext : undefined;
}

function changeFor(record: CallRecord, event: VendorEvent, connectionId: string, nowMs: number): CallPatch | undefined {
  const status = announcedStatus(event.type);
  // A late `CallConnected` says nothing about a call that is on hold: who put it there gives it back.
  const isStale = record.status === "on_hold" && status === "connected";
  const moves = status !== undefined && !isStale && isLegalTransition(record.status, status);
  const patch: CallPatch = {
    ...(record.callConnectionId === undefined ? { callConnectionId: connectionId } : {}),
    ...(moves ? { status } : {}),
    ...(moves && status === "connected" && record.connectedAtMs === undefined ? { connectedAtMs: nowMs } : {}),
    ...(moves && (status === "disconnected" || status === "failed")
      ? { endedAtMs: nowMs, failureReason: reasonOf(event) }
      : {}),
    ...participantsIn(event, record),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Lists come in any order, and their numbers tell which is the newer. */
function participantsIn(event: VendorEvent, { participantsSequence: known = 0 }: CallRecord): CallPatch {
  if (shortEventType(event.type) !== "ParticipantsUpdated") return {};
  const sequence = event.data["sequenceNumber"];
  if (typeof sequence !== "number") return { participants: participantsOf(event) };
  return sequence < known ? {} : { participants: participantsOf(event), participantsSequence: sequence };
}

function participantsOf(event: VendorEvent): CallParticipant[] {
  const listed = event.data["participants"];
  if (!Array.isArray(listed)) return [];
  return listed.filter(isObject).map((participant) => {
    const identifier = objectField(participant, "identifier") ?? {};
    return {
      id: textField(identifier, "rawId") ?? "unknown",
      phoneNumber: textField(objectField(identifier, "phoneNumber") ?? {}, "value"),
      role: textField(identifier, "kind") === "phoneNumber" || "phoneNumber" in identifier ? "caller" : "participant",
      status: participant["isOnHold"] === true ? "on_hold" : participant["isMuted"] === true ? "muted" : "connected",
    };
  });
}

function reasonOf(event: VendorEvent): string | undefined {
  const { code, subCode, message } = objectField(event.data, "resultInformation") ?? {};
  return describeFailure({
    code: typeof code === "number" ? code : undefined,
    subCode: typeof subCode === "number" ? subCode : undefined,
    message: typeof message === "string" ? message : undefined,
  });
}

/** For the log that GET /calls/ shows: what happened, without tones (they may be a PIN) and without numbers. */
function detailsOf(event: VendorEvent): Readonly<Record<string, unknown>> {
  const result = objectField(event.data, "resultInformation") ?? {};
  const details = {
    code: result["code"],
    sub_code: result["subCode"],
    message: result["message"],
    operation_context: event.data["operationContext"],
  };
  return Object.fromEntries(
    Object.entries(details).filter(([, value]) => typeof value === "string" || typeof value === "number"),
  );
}
