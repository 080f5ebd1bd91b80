/** Why a call did not come about, in words for the operator: what the communication service's result information means. */

export interface ResultInformation {
  readonly code?: number | undefined;
  readonly subCode?: number | undefined;
  readonly message?: string | undefined;
}

/** The number of the far end: not a phone, or not one that can be reached. */
const invalidNumber = "pstn_number_invalid: the number does not exist";

/** SIP's final answers (RFC 3261 section 21), which the service passes on as 560xxx or as the code itself. */
const reasonBySipStatus: Readonly<Record<number, string>> = {
  404: invalidNumber,
  408: "no answer",
  410: invalidNumber,
  480: "no answer",
  484: invalidNumber,
  486: "busy",
  487: "cancelled",
  600: "busy",
  603: "declined",
  604: invalidNumber,
};

const sipSubCodeBase = 560_000;

export function describeFailure({ code, subCode, message }: ResultInformation): string | undefined {
  const sipStatus = subCode !== undefined && subCode >= sipSubCodeBase ? subCode - sipSubCodeBase : code;
  return (sipStatus === undefined ? undefined : reasonBySipStatus[sipStatus]) ?? message;
}
