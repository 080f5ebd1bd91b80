/** Translates the communication service's result information into the reason for a failure, in words and as a code. */

/** In words for the operator, and as a code for programs. Neither holds a number. */
export interface CallFailure {
  readonly code: string;
  readonly reason: string;
}

export interface ResultInformation {
  readonly code?: number | undefined;
  readonly subCode?: number | undefined;
  readonly message?: string | undefined;
}

/** The far end's number is not a phone number, or cannot be reached. */
const invalidNumber: CallFailure = { code: "pstn_number_invalid", reason: "the number does not exist" };
const busy: CallFailure = { code: "busy", reason: "busy" };
/** Includes calls that rang for longer than `COMM_CALL_TIMEOUT`. */
export const noAnswer: CallFailure = { code: "no_answer", reason: "no answer" };

/**
 * No phone has rung while the call could still be begun: no host has asked the service for it, or the service answered each
 * time that it does not take the call now.
 */
export function notHandledInTime(answer: string | undefined): CallFailure {
  const reason =
    answer === undefined
      ? "nobody took care of the call in time"
      : `the communication service did not take the call in time: ${answer}`;
  return { code: "not_handled_in_time", reason };
}

/** The service was asked to place the call, and neither said that it does nor reported anything: nobody knows of a phone that rang. */
export function notAccepted(answer: string | undefined): CallFailure {
  const reason = "the communication service did not say that it places the call";
  return { code: "upstream_unavailable", reason: answer === undefined ? reason : `${reason}: ${answer}` };
}

/** The caller of an inbound call has given up, or had when we answered. */
export const callerHasGone: CallFailure = { code: "caller_gone", reason: "the caller has gone" };

/** Ended from our side, or given up by the caller's network, before anybody picked up. */
export const cancelled: CallFailure = { code: "cancelled", reason: "ended before anybody answered" };

/** The call's stream of audio or of its transcript could not be opened, or broke. The call itself goes on. */
export function streamFailure(reason = "the communication service gave no reason"): CallFailure {
  return { code: "media_streaming_failed", reason };
}

/** SIP's final answers (RFC 3261 section 21), which the service passes on as 560xxx or as the code itself. */
const failureBySipStatus: Readonly<Record<number, CallFailure>> = {
  404: invalidNumber,
  408: noAnswer,
  410: invalidNumber,
  480: noAnswer,
  484: invalidNumber,
  486: busy,
  487: cancelled,
  600: busy,
  603: { code: "declined", reason: "declined" },
  604: invalidNumber,
};

const sipSubCodeBase = 560_000;

function knownFailure({ code, subCode }: ResultInformation): CallFailure | undefined {
  const sipStatus = subCode !== undefined && subCode >= sipSubCodeBase ? subCode - sipSubCodeBase : code;
  return sipStatus === undefined ? undefined : failureBySipStatus[sipStatus];
}

/** Why a call ended or an operation failed, as far as known; in the service's own words if we have none. */
export function describeFailure(result: ResultInformation): string | undefined {
  return knownFailure(result)?.reason ?? result.message;
}

/** Why nobody talked on a call that ended while it rang, if the service reports only its end. */
export function unansweredFailure(direction: "inbound" | "outbound", result: ResultInformation): CallFailure {
  return direction === "inbound" ? callerHasGone : (knownFailure(result) ?? noAnswer);
}

/** The code of a failure whose numbers mean nothing to us. */
export const unexplained = "call_failed";

/** Why a call failed; always has a code. */
export function failureOf(result: ResultInformation): CallFailure {
  return (
    knownFailure(result) ?? {
      code: unexplained,
      reason: result.message ?? "the communication service gave no reason",
    }
  );
}
