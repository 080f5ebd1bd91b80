/**
 * Interprets a telephone service's report about a call: the change to the call's record, the log entry, and the operation
 * that it completes. Callbacks are delivered at least once and in any order. Pure.
 */
import { toCallbackType, type CallLogMessage } from "../contracts/calls/call-log.ts";
import type { CallReport, ReportedParticipant, ReportedResult } from "../contracts/calls/call-report.ts";
import type { OperationOutcome } from "../state/ports/call-operations.ts";
import { failureBases } from "../state/ports/call-store.ts";
import type { CallParticipant, CallPatch, CallRecord, FailureBasis, StreamFailure } from "../state/ports/call-store.ts";
import { isSameParty, type Party } from "./party.ts";
import { announcedStatus, isAwaitingAnswer, isEnded, isLegalTransition, shortEventType } from "./call-transitions.ts";
import {
  cancelled,
  describeFailure,
  failureOf,
  noAnswer,
  reasonForCaller,
  streamFailure,
  unansweredFailure,
  unexplained,
  type CallFailure,
} from "./failure-reason.ts";
import { mended, withFailure } from "./stream-failures.ts";

export interface Callback {
  /** The same for every delivery of the event. */
  readonly eventId: string;
  /** One of our reports behind the name of the service, for instance `Microsoft.Communication.CallConnected`. */
  readonly type: string;
  readonly atMs: number;
  readonly connectionId: string;
  /** Ours, where the service returns it with the report. */
  readonly callId?: string | undefined;
  readonly content: CallReport;
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
  if (status !== "connected") return endOf(record, status, atMs, content.result);
  if (isEnded(record.status)) return lateAnswer(record, atMs);
  // A late `CallConnected` does not end a hold: only the component that put the call on hold ends it.
  if (record.status === "on_hold" || !isLegalTransition(record.status, status)) return {};
  return { status, connectedAtMs: record.connectedAtMs ?? atMs };
}

/** Reports of an end arrive in any order, and together show when and why the call ended. */
function endOf(
  record: CallRecord,
  reported: "disconnected" | "failed",
  atMs: number,
  result: ReportedResult = {},
): CallPatch {
  const isOver = isEnded(record.status);
  const wasAnswered = isOver ? record.status === "disconnected" : !isAwaitingAnswer(record.status);
  // A call with an established conversation has not ended because a repeated request to answer it has failed.
  if (!isOver && wasAnswered && reported === "failed") return {};
  const isEarlier = record.endedAtMs === undefined || atMs < record.endedAtMs;
  return {
    ...(record.endedByService === true ? {} : { endedByService: true }),
    ...(isOver ? {} : { status: wasAnswered ? "disconnected" : "failed" }),
    ...(isOver && !isEarlier ? {} : { endedAtMs: atMs }),
    ...(wasAnswered ? describedEnd(record, isOver, result) : unansweredEnd(record, reported, result)),
  };
}

function describedEnd({ failureCode, direction }: CallRecord, isOver: boolean, result: ReportedResult): CallPatch {
  // The call was answered only to announce the failure, so the earlier reason is more informative than how that ended.
  if (isOver || failureCode !== undefined) return {};
  return { ...reportedCodes(result), failureReason: describeFailure(result, direction) };
}

/** As reported by the service. An event without codes says nothing about those of another event. */
function reportedCodes({ code, subCode }: ReportedResult): CallPatch {
  return code === undefined && subCode === undefined ? {} : { serviceCode: code, serviceSubCode: subCode };
}

function unansweredEnd(record: CallRecord, reported: "disconnected" | "failed", result: ReportedResult): CallPatch {
  const { status, hangUpAtMs, failureCode, failureBasis } = record;
  const isOurs = hangUpAtMs !== undefined;
  if (isOurs && !isEnded(status) && failureCode === undefined)
    return { failureCode: cancelled.code, failureReason: cancelled.reason };
  const { code, reason, basis } = reportedFailure(record, reported, result);
  // What the service reports after our hang-up is probably about that, unless it says something else.
  if (isOurs && (code === cancelled.code || basis === "assumed" || basis === "unexplained")) return {};
  const rank = rankOf(basis) - rankOf(failureBasis);
  if (failureCode !== undefined && (rank < 0 || (rank === 0 && !saysMore(result, record)))) return {};
  return { ...reportedCodes(result), failureCode: code, failureReason: reason, failureBasis: basis };
}

/**
 * If two reports have the same rank, the one with the higher numbers is preferred, whichever came first; so codes are preferred to none.
 */
function saysMore({ code = -1, subCode = -1 }: ReportedResult, record: CallRecord): boolean {
  const { serviceCode = -1, serviceSubCode = -1 } = record;
  return subCode === serviceSubCode ? code > serviceCode : subCode > serviceSubCode;
}

/** Our own decisions are never replaced. */
function rankOf(basis: FailureBasis | undefined): number {
  return basis === undefined ? failureBases.length : failureBases.indexOf(basis);
}

/** The end of a call that only rang may be reported like that of an established one: then the reason is assumed. */
function reportedFailure(
  { direction }: CallRecord,
  reported: "disconnected" | "failed",
  result: ReportedResult,
): CallFailure & { readonly basis: FailureBasis } {
  const known = failureOf(direction, result);
  const isExplained = known.code !== unexplained;
  if (reported === "failed") return { ...known, basis: isExplained ? "failure" : "unexplained" };
  return { ...unansweredFailure(direction, result), basis: isExplained ? "end" : "assumed" };
}

/** Somebody did answer, and that event arrived after the event about the end of the call. */
function lateAnswer(
  { status, endedByService, connectedAtMs, endedAtMs = 0, turnedAway, failureBasis }: CallRecord,
  atMs: number,
): CallPatch {
  // Times of the service's own events are compared; a phone that was answered too late had no conversation (END-7).
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
  const listed = participants.map((entry) => toParticipant(entry, call));
  if (sequenceNumber === undefined) return { participants: listed };
  return call.isForgotten === true || sequenceNumber < known
    ? {}
    : { participants: listed, participantsSequence: sequenceNumber };
}

function toParticipant(
  { isOnTelephone, isOnHold, isMuted, ...party }: ReportedParticipant,
  call: CallRecord,
): CallParticipant {
  return {
    id: party.rawId ?? "unknown",
    phoneNumber: party.number,
    role: roleOf(party, isOnTelephone === true, call),
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
export function streamFailureOf(eventType: string, { streamProblem, result }: CallReport): CallFailure | undefined {
  if (failedStream(eventType) === undefined) return undefined;
  return streamFailure(streamProblem ?? result?.message);
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
  content: { operationContext, result = {} },
}: Callback): { readonly operationContext: string; readonly outcome: OperationOutcome } | undefined {
  const event = shortEventType(type);
  if (operationContext === undefined || !Object.hasOwn(isSuccessByEvent, event)) return undefined;
  if (isSuccessByEvent[event] === true) return { operationContext, outcome: { ok: true } };
  if (event === "CancelAddParticipantSucceeded")
    return { operationContext, outcome: { ok: false, reason: noAnswer.reason } };
  // Has neither the service's own text nor its numbers, because an agent says it to the caller.
  const reason = reasonForCaller(result) ?? "the other side could not be reached";
  return { operationContext, outcome: { ok: false, reason } };
}

type LoggedEnd = Pick<CallRecord, "direction" | "failureCode" | "failureReason">;

/** Undefined for an event that reports no end, or the end of a call that was talked on. */
function endFailureOf(
  type: string,
  result: ReportedResult,
  { direction, failureCode: code, failureReason: reason = "" }: LoggedEnd,
): CallFailure | undefined {
  const status = announcedStatus(type);
  if (status === "failed") return failureOf(direction, result);
  return status === "disconnected" && code !== undefined ? { code, reason } : undefined;
}

/** The details for the log that GET /calls/ shows. `call`: its record, with the change that the callback has made. */
export function logEntryOf({ type, content }: Callback, call: LoggedEnd): CallLogMessage {
  const { operationContext, result = {} } = content;
  const { code, subCode, message } = result;
  const failure = endFailureOf(type, result, call) ?? streamFailureOf(type, content);
  return {
    type: toCallbackType(type),
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
