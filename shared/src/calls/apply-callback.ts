/**
 * Interprets a callback of the communication service: the change to the call's record, the log entry, and the operation
 * that it completes. Callbacks are delivered at least once and in any order. Pure.
 */
import { callbackTypePrefix, type CallLogMessage } from "../contracts/calls/call-log.ts";
import type { VendorCallback, VendorIdentifier, VendorParticipant } from "../contracts/calls/vendor-callback.ts";
import type { OperationOutcome } from "../state/ports/call-operations.ts";
import { failureBases } from "../state/ports/call-store.ts";
import type { CallParticipant, CallPatch, CallRecord, FailureBasis, StreamFailure } from "../state/ports/call-store.ts";
import { announcedStatus, isAwaitingAnswer, isEnded, isLegalTransition, shortEventType } from "./call-transitions.ts";
import {
  cancelled,
  describeFailure,
  failureOf,
  noAnswer,
  streamFailure,
  unansweredFailure,
  unexplained,
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
  if (status !== "connected") return endOf(record, status, atMs, content.resultInformation);
  if (isEnded(record.status)) return lateAnswer(record, atMs);
  // A late `CallConnected` does not end a hold: only the component that put the call on hold ends it.
  if (record.status === "on_hold" || !isLegalTransition(record.status, status)) return {};
  return { status, connectedAtMs: record.connectedAtMs ?? atMs };
}

/** Reports of an end come in any order, and all together say when and why. */
function endOf(
  record: CallRecord,
  reported: "disconnected" | "failed",
  atMs: number,
  result: ResultInformation = {},
): CallPatch {
  const isOver = isEnded(record.status);
  const wasAnswered = isOver ? record.status === "disconnected" : !isAwaitingAnswer(record.status);
  // A call that is talked on has not ended because a repeated request to answer it has failed.
  if (!isOver && wasAnswered && reported === "failed") return {};
  const isEarlier = record.endedAtMs === undefined || atMs < record.endedAtMs;
  return {
    ...(record.endedByService === true ? {} : { endedByService: true }),
    ...(isOver ? {} : { status: wasAnswered ? "disconnected" : "failed" }),
    ...(isOver && !isEarlier ? {} : { endedAtMs: atMs }),
    ...(wasAnswered ? describedEnd(record, isOver, result) : unansweredEnd(record, reported, result)),
  };
}

function describedEnd({ failureCode }: CallRecord, isOver: boolean, result: ResultInformation): CallPatch {
  // The call was answered only to announce the failure, so the earlier reason says more than how that ended.
  return isOver || failureCode !== undefined ? {} : { failureReason: describeFailure(result) };
}

function unansweredEnd(record: CallRecord, reported: "disconnected" | "failed", result: ResultInformation): CallPatch {
  const { status, hangUpAtMs, failureCode, failureBasis } = record;
  const isOurs = hangUpAtMs !== undefined;
  if (isOurs && !isEnded(status) && failureCode === undefined)
    return { failureCode: cancelled.code, failureReason: cancelled.reason };
  const { code, reason, basis } = reportedFailure(record, reported, result);
  // What the service reports after our hang-up may be about that, unless it says something else.
  if (isOurs && (code === cancelled.code || basis === "assumed" || basis === "unexplained")) return {};
  if (failureCode !== undefined && rankOf(basis) <= rankOf(failureBasis)) return {};
  return { failureCode: code, failureReason: reason, failureBasis: basis };
}

/** Our own decisions are never replaced. */
function rankOf(basis: FailureBasis | undefined): number {
  return basis === undefined ? failureBases.length : failureBases.indexOf(basis);
}

/** The end of a call that rang may be reported like that of one that was talked on: then we assume why. */
function reportedFailure(
  { direction }: CallRecord,
  reported: "disconnected" | "failed",
  result: ResultInformation,
): CallFailure & { readonly basis: FailureBasis } {
  const known = failureOf(result);
  const isExplained = known.code !== unexplained;
  if (reported === "failed") return { ...known, basis: isExplained ? "failure" : "unexplained" };
  return { ...unansweredFailure(direction, result), basis: isExplained ? "end" : "assumed" };
}

/** Somebody did answer, and the event that says so came after the event that says that the call is over. */
function lateAnswer(
  { status, endedByService, connectedAtMs, endedAtMs = 0, turnedAway, failureBasis }: CallRecord,
  atMs: number,
): CallPatch {
  // Times of the service's own events are compared; a phone that was picked up too late was not talked on (END-7).
  const isBefore = isEnded(status) && endedByService === true && atMs <= endedAtMs;
  const hasNeverBegun = failureBasis === "failure" || failureBasis === "unexplained";
  if (!isBefore || hasNeverBegun || connectedAtMs !== undefined) return {};
  const answered: CallPatch = { status: "disconnected", connectedAtMs: atMs };
  const unfailed: CallPatch = { failureCode: undefined, failureReason: undefined, failureBasis: undefined };
  return turnedAway === true ? answered : { ...answered, ...unfailed };
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
  return {
    id: identifier?.rawId ?? "unknown",
    phoneNumber: identifier?.phoneNumber?.value,
    role: roleOf(identifier, call),
    status: participantStatus(isOnHold === true, isMuted === true),
  };
}

function roleOf(identifier: VendorIdentifier | undefined, call: CallRecord): string {
  const { direction, targetNumber, callerNumber } = call;
  if (direction === "outbound") return identifier?.phoneNumber?.value === targetNumber ? "callee" : "participant";
  const isPhone = identifier?.kind === "phoneNumber" || identifier?.phoneNumber !== undefined;
  // A participant with a hidden number is the one on the telephone, because others are added to the call by number.
  const names = [identifier?.phoneNumber?.value, identifier?.rawId];
  const isCaller = callerNumber === undefined ? isPhone : names.includes(callerNumber);
  return isCaller ? "caller" : "participant";
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
  const { code, subCode } = resultInformation;
  // Not in the service's own words, because an agent says them to the caller.
  const reason = describeFailure({ code, subCode }) ?? "the other side could not be reached";
  return { operationContext, outcome: { ok: false, reason } };
}

/** Undefined for an event that reports no end, or the end of a call that was talked on. */
function endFailureOf(
  type: string,
  result: ResultInformation,
  { failureCode: code, failureReason: reason = "" }: Pick<CallRecord, "failureCode" | "failureReason">,
): CallFailure | undefined {
  const status = announcedStatus(type);
  if (status === "failed") return failureOf(result);
  return status === "disconnected" && code !== undefined ? { code, reason } : undefined;
}

/** The details for the log that GET /calls/ shows. `call`: its record, with the change that the callback has made. */
export function logEntryOf(
  { type, content }: Callback,
  call: Pick<CallRecord, "failureCode" | "failureReason">,
): CallLogMessage {
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
