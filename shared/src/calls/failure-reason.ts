/** Why a call did not come about: what the communication service's result information means, in words and as a code. */

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

/** The number of the far end: not a phone, or not one that can be reached. */
const invalidNumber: CallFailure = { code: "pstn_number_invalid", reason: "the number does not exist" };
const busy: CallFailure = { code: "busy", reason: "busy" };
/** Also of a call that rang for longer than `COMM_CALL_TIMEOUT`. */
export const noAnswer: CallFailure = { code: "no_answer", reason: "no answer" };

/** The audio, or the transcript, of a call could not be brought to us or broke off. The call itself goes on. */
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
  487: { code: "cancelled", reason: "cancelled" },
  600: busy,
  603: { code: "declined", reason: "declined" },
  604: invalidNumber,
};

const sipSubCodeBase = 560_000;

function knownFailure({ code, subCode }: ResultInformation): CallFailure | undefined {
  const sipStatus = subCode !== undefined && subCode >= sipSubCodeBase ? subCode - sipSubCodeBase : code;
  return sipStatus === undefined ? undefined : failureBySipStatus[sipStatus];
}

/** What is known of why a call ended or an operation failed; in the service's own words where we have none. */
export function describeFailure(result: ResultInformation): string | undefined {
  return knownFailure(result)?.reason ?? result.message;
}

/** Why a call has failed. There is always a code. */
export function failureOf(result: ResultInformation): CallFailure {
  return (
    knownFailure(result) ?? {
      code: "call_failed",
      reason: result.message ?? "the communication service gave no reason",
    }
  );
}
