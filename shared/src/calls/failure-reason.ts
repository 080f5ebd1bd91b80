/** Translates what a telephone service reports of an end into the reason for a failure, in words and as a code. */
import type { ReportedResult } from "../contracts/calls/call-report.ts";
import type { Cause } from "../contracts/calls/cause.ts";

/** In words for the operator, and as a code for programs. Neither holds a phone number. */
export interface CallFailure {
  readonly code: string;
  readonly reason: string;
}

/** Includes calls that rang for longer than `COMM_CALL_TIMEOUT`. */
export const noAnswer: CallFailure = { code: "no_answer", reason: "no answer" };

/**
 * No phone has rung before the time for starting the call expired: no host has requested the call from the service, or the service declined
 * each time.
 */
export function notHandledInTime(answer: string | undefined): CallFailure {
  const reason =
    answer === undefined
      ? "nobody took care of the call in time"
      : `the communication service did not take the call in time: ${answer}`;
  return { code: "not_handled_in_time", reason };
}

/** The service was asked to place the call, and has neither accepted it nor reported anything: it is not known whether a phone rang. */
export function notAccepted(answer: string | undefined): CallFailure {
  const reason = "the communication service did not say that it places the call";
  return { code: "upstream_unavailable", reason: answer === undefined ? reason : `${reason}: ${answer}` };
}

/** The caller of an inbound call has hung up, or had when we answered. */
export const callerHasGone: CallFailure = { code: "caller_gone", reason: "the caller has gone" };

/** Ended by us, or given up by the caller's network, before anybody answered. */
export const cancelled: CallFailure = { code: "cancelled", reason: "ended before anybody answered" };

/** The call's stream of audio or of its transcript could not be opened, or broke. The call itself continues. */
export function streamFailure(reason = "the communication service gave no reason"): CallFailure {
  return { code: "media_streaming_failed", reason };
}

/** The code of a failure whose numbers are not known. */
export const unexplained = "call_failed";

/** What whoever placed the call can do about it: give up the number, retry later, change a permission or a setting, or wait. */
const codeByCause: Readonly<Record<Exclude<Cause, "none">, string>> = {
  number: "pstn_number_invalid",
  busy: "busy",
  declined: "declined",
  "no-answer": noAnswer.code,
  cancelled: cancelled.code,
  "not-found": "not_found",
  network: "network_failed",
  permission: "not_permitted",
  configuration: "not_configured",
  limit: "rate_limited",
  request: "request_refused",
  service: "upstream_unavailable",
};

/** Causes that are about the person or the telephone that was called. */
const ofTheCallee: ReadonlySet<Cause> = new Set(["number", "busy", "declined", "no-answer"]);

type Direction = "inbound" | "outbound";

/** Undefined: no failure is reported, or none that the service's documentation lists. */
function knownFailure({ meaning, code, subCode }: ReportedResult, direction: Direction): CallFailure | undefined {
  if (meaning === undefined || meaning.cause === "none") return undefined;
  const { cause, about, isOfFarEnd } = meaning;
  if (direction === "inbound") {
    // The far end is the caller, and the one who was called is this service.
    if (isOfFarEnd === true || cause === "cancelled" || cause === "not-found") return callerHasGone;
    if (cause === "no-answer") return notHandledInTime(numbersOf({ code, subCode }));
    if (ofTheCallee.has(cause)) return { code: "declined", reason: "the call was refused on our side" };
  }
  if (ofTheCallee.has(cause) || cause === "cancelled") return { code: codeByCause[cause], reason: about };
  return { code: codeByCause[cause], reason: `${about} (${numbersOf({ code, subCode })})` };
}

function isUnknown({ meaning, code, subCode }: ReportedResult): boolean {
  return (code !== undefined || subCode !== undefined) && meaning === undefined;
}

function unknownFailure(result: ReportedResult): CallFailure {
  return {
    code: unexplained,
    reason: `the communication service gave a code that is not known here (${numbersOf(result)})`,
  };
}

function numbersOf({ code, subCode }: ReportedResult): string {
  return `code ${code ?? "none"}, sub-code ${subCode ?? "none"}`;
}

/** Why an established call ended, as far as known; in the service's own text if it reports no failure. */
export function describeFailure(result: ReportedResult, direction: Direction): string | undefined {
  if (isUnknown(result)) return unknownFailure(result).reason;
  return knownFailure(result, direction)?.reason ?? result.message;
}

/** What an agent may say about a person who could not be reached for the caller; undefined if nothing is known about that person. */
export function reasonForCaller({ meaning }: ReportedResult): string | undefined {
  return meaning !== undefined && ofTheCallee.has(meaning.cause) ? meaning.about : undefined;
}

/** Why there was no conversation on a call that ended while it rang, if the service reports only its end. */
export function unansweredFailure(direction: Direction, result: ReportedResult): CallFailure {
  if (isUnknown(result)) return unknownFailure(result);
  return knownFailure(result, direction) ?? (direction === "inbound" ? callerHasGone : noAnswer);
}

/** Why a call failed; always has a code. */
export function failureOf(direction: Direction, result: ReportedResult): CallFailure {
  if (isUnknown(result)) return unknownFailure(result);
  return (
    knownFailure(result, direction) ?? {
      code: unexplained,
      reason: result.message ?? "the communication service gave no reason",
    }
  );
}
