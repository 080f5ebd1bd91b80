/**
 * Interprets a callback of the communication service: the change to the call's record, the log entry, and the operation
 * that it completes. Callbacks are delivered at least once and in any order. Pure.
 */
import { callbackTypePrefix, type CallLogMessage } from "../contracts/calls/call-log.ts";
import type { CallStatus } from "../contracts/calls/call-status.ts";
import type { VendorCallback, VendorParticipant } from "../contracts/calls/vendor-callback.ts";
import type { OperationOutcome } from "../state/ports/call-operations.ts";
import type { CallParticipant, CallPatch, CallRecord, StreamFailure } from "../state/ports/call-store.ts";
import { isSameParty, partyOf, type Party } from "./party.ts";
import { announcedStatus, isAwaitingAnswer, isEnded, isLegalTransition, shortEventType } from "./call-transitions.ts";
import {
  cancelled,
  describeFailure,
  failureOf,
  noAnswer,
  reasonForCaller,
  streamFailure,
  unansweredFailure,
  type CallFailure,
  type ResultInformation,
} from "./failure-reason.ts";
import { mended, withFailure } from "./stream-failures.ts";

export interface Callback {
  /** The same for every delivery of the event. */
  readonly eventId: string;
  /** The vendor's own, for instance `Microsoft.Communication.CallConnected`. */
  readonly type: string;
  readonly atMs: number;
  readonly connectionId: string;
  readonly content: VendorCallback;
}

/** Undefined if it changes nothing, for instance because it is a repetition. */
export function changeByCallback(record: CallRecord, callback: Callback): CallPatch | undefined {
  const patch: CallPatch = {
    ...(record.callConnectionId === undefined ? { callConnectionId: callback.connectionId } : {}),
    ...statusChange(record, callback),
    ...participantsChange(record, callback),
    ...streamChange(record, callback),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function statusChange(record: CallRecord, { type, atMs, content }: Callback): CallPatch {
  const status = announcedStatus(type);
  if (status === undefined) return {};
  if (status === "connected" && isEnded(record.status)) return lateAnswer(record, atMs);
  const isLegal = isLegalTransition(record.status, status);
  // A call that is talked on has not ended because a repeated request to answer it has failed.
  const isOver = isEnded(status) && (isLegal || isEnded(record.status));
  const told: CallPatch = isOver && record.endedByService !== true ? { endedByService: true } : {};
  // A late `CallConnected` does not end a hold: only the component that put the call on hold ends it.
  const isStale = record.status === "on_hold" && status === "connected";
  if (isStale || !isLegal) return told;
  if (isEnded(status)) return { ...told, status, endedAtMs: atMs, ...endReasonOf(status, record, content) };
  return { status, connectedAtMs: record.connectedAtMs ?? atMs };
}

/** Somebody did answer, and the event that says so came after the event that says that the call is over. */
function lateAnswer(
  { status, endedByService, connectedAtMs, endedAtMs = 0, turnedAway }: CallRecord,
  atMs: number,
): CallPatch {
  // Times of the service's own events are compared; a phone that was picked up too late was not talked on (END-7).
  const isBefore = status === "disconnected" && endedByService === true && atMs <= endedAtMs;
  if (!isBefore || connectedAtMs !== undefined) return {};
  const answered: CallPatch = { connectedAtMs: atMs };
  return turnedAway === true ? answered : { ...answered, failureCode: undefined, failureReason: undefined };
}

function endReasonOf(
  ended: CallStatus,
  call: CallRecord,
  { resultInformation: result = {} }: VendorCallback,
): CallPatch {
  // The call was answered only to announce the failure, so the earlier reason says more than how that ended.
  if (call.failureCode !== undefined) return {};
  const reported: CallPatch = { serviceCode: result.code, serviceSubCode: result.subCode };
  if (!isAwaitingAnswer(call.status)) return { ...reported, failureReason: describeFailure(result, call.direction) };
  const { code, reason } = unansweredBecause(ended, call, result);
  return { ...reported, failureCode: code, failureReason: reason };
}

/** The service may report a call that ended while it rang like one that was talked on. */
function unansweredBecause(
  ended: CallStatus,
  { hangUpAtMs, direction }: CallRecord,
  result: ResultInformation,
): CallFailure {
  if (hangUpAtMs !== undefined) return cancelled;
  return ended === "failed" ? failureOf(direction, result) : unansweredFailure(direction, result);
}

function participantsChange(
  call: CallRecord,
  { type, content: { participants, sequenceNumber } }: Callback,
): CallPatch {
  if (shortEventType(type) !== "ParticipantsUpdated" || participants === undefined) return {};
  const { participantsSequence: known = 0 } = call;
  const listed = participants.flatMap((entry) => (entry === undefined ? [] : [toParticipant(entry, call)]));
  if (sequenceNumber === undefined) return { participants: listed };
  return sequenceNumber < known ? {} : { participants: listed, participantsSequence: sequenceNumber };
}

function toParticipant({ identifier, isOnHold, isMuted }: VendorParticipant, call: CallRecord): CallParticipant {
  const party = partyOf(identifier);
  return {
    id: party.rawId ?? "unknown",
    phoneNumber: party.number,
    role: roleOf(party, identifier?.kind === "phoneNumber" || identifier?.phoneNumber !== undefined, call),
    status: participantStatus(isOnHold === true, isMuted === true),
  };
}

function roleOf(party: Party, isOnTelephone: boolean, call: CallRecord): string {
  if (call.direction === "outbound")
    return isSameParty(party, { number: call.targetNumber }) ? "callee" : "participant";
  const caller: Party = { number: call.callerNumber, rawId: call.callerRawId };
  if (isSameParty(party, caller)) return "caller";
  // A participant with a hidden number is the one on the telephone, because others are added to the call by number.
  const isHidden = caller.number === undefined && (caller.rawId === undefined || party.number === undefined);
  return isHidden && isOnTelephone ? "caller" : "participant";
}

function participantStatus(isOnHold: boolean, isMuted: boolean): string {
  if (isOnHold) return "on_hold";
  return isMuted ? "muted" : "connected";
}

function streamChange({ streamFailures = [] }: CallRecord, { eventId, type, atMs }: Callback): CallPatch {
  if (failedStream(type) !== undefined) {
    if (streamFailures.some((failure) => failure.eventId === eventId)) return {};
    const failure: StreamFailure = { eventId, atMs, isMended: false };
    return { streamFailures: withFailure(streamFailures, failure) };
  }
  if (!isStreamStarted(type) || streamFailures.every(({ isMended }) => isMended)) return {};
  return { streamFailures: mended(streamFailures) };
}

/** The stream whose failure an event reports. */
export function failedStream(eventType: string): "audio" | "transcript" | undefined {
  const type = shortEventType(eventType);
  if (type === "MediaStreamingFailed") return "audio";
  return type === "TranscriptionFailed" ? "transcript" : undefined;
}

/** Undefined for an event about something else. */
export function streamFailureOf(
  eventType: string,
  { mediaStreamingUpdate, transcriptionUpdate, resultInformation }: VendorCallback,
): CallFailure | undefined {
  if (failedStream(eventType) === undefined) return undefined;
  const detail = mediaStreamingUpdate?.mediaStreamingStatusDetails ?? transcriptionUpdate?.transcriptionStatusDetails;
  return streamFailure(detail ?? resultInformation?.message);
}

/** The service stopped the stream without reporting a failure, although we never ask it to. */
export function isStreamStopped(eventType: string): boolean {
  const type = shortEventType(eventType);
  return type === "MediaStreamingStopped" || type === "TranscriptionStopped";
}

function isStreamStarted(eventType: string): boolean {
  const type = shortEventType(eventType);
  return type === "MediaStreamingStarted" || type === "TranscriptionStarted";
}

/**
 * The events that complete operations. None reports that a hold succeeded, so a hold completes when its time is over.
 * An invitation is cancelled under its own context, because that ends it; one that could not be cancelled goes on.
 */
const isSuccessByEvent: Readonly<Record<string, boolean>> = {
  CallTransferAccepted: true,
  CallTransferFailed: false,
  AddParticipantSucceeded: true,
  AddParticipantFailed: false,
  CancelAddParticipantSucceeded: false,
  RemoveParticipantSucceeded: true,
  RemoveParticipantFailed: false,
  PlayCompleted: true,
  PlayFailed: false,
  PlayCanceled: false,
  SendDtmfTonesCompleted: true,
  SendDtmfTonesFailed: false,
  HoldFailed: false,
};

/** The operation that the callback completes, with its outcome; undefined for a callback about something else. */
export function settledByCallback({
  type,
  content: { operationContext, resultInformation = {} },
}: Callback): { readonly operationContext: string; readonly outcome: OperationOutcome } | undefined {
  const event = shortEventType(type);
  if (operationContext === undefined || !Object.hasOwn(isSuccessByEvent, event)) return undefined;
  if (isSuccessByEvent[event] === true) return { operationContext, outcome: { ok: true } };
  if (event === "CancelAddParticipantSucceeded")
    return { operationContext, outcome: { ok: false, reason: noAnswer.reason } };
  // Not in the service's own words, and without its numbers, because an agent says them to the caller.
  const reason = reasonForCaller(resultInformation) ?? "the other side could not be reached";
  return { operationContext, outcome: { ok: false, reason } };
}

type LoggedEnd = Pick<CallRecord, "direction" | "failureCode" | "failureReason">;

/** Undefined for an event that reports no end, or the end of a call that was talked on. */
function endFailureOf(
  type: string,
  result: ResultInformation,
  { direction, failureCode: code, failureReason: reason = "" }: LoggedEnd,
): CallFailure | undefined {
  const status = announcedStatus(type);
  if (status === "failed") return failureOf(direction, result);
  return status === "disconnected" && code !== undefined ? { code, reason } : undefined;
}

/** The details for the log that GET /calls/ shows. `call`: its record, with the change that the callback has made. */
export function logEntryOf({ type, content }: Callback, call: LoggedEnd): CallLogMessage {
  const { operationContext, resultInformation = {} } = content;
  const { code, subCode, message } = resultInformation;
  const failure = endFailureOf(type, resultInformation, call) ?? streamFailureOf(type, content);
  return {
    type: `${callbackTypePrefix}${shortEventType(type)}`,
    details: {
      code,
      sub_code: subCode,
      message,
      operation_context: operationContext,
      failure: failure?.code,
      reason: failure?.reason,
    },
  };
}
