/**
 * What Twilio's codes mean: those with which it refuses a request, and the SIP answers with which it reports that a call did not come about.
 * Each is explained at `https://www.twilio.com/docs/api/errors/` and the code.
 */
import type { Meaning } from "../../contracts/calls/cause.ts";

const notCallable = "Twilio does not take it for a number that can be called";

const errors: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [10_001, { cause: "permission", about: "the account at Twilio is not active" }],
  [10_004, { cause: "limit", about: "the account at Twilio may not have more calls at once" }],
  [13_223, { cause: "number", about: notCallable }],
  [13_224, { cause: "number", about: notCallable }],
  [13_225, { cause: "permission", about: "Twilio does not call this number: it is forbidden" }],
  [
    13_227,
    { cause: "permission", about: "the account at Twilio may not call this country: see its geographic permissions" },
  ],
  [20_003, { cause: "permission", about: "Twilio does not accept the account's auth token" }],
  [20_005, { cause: "permission", about: "the account at Twilio is not active" }],
  [20_429, { cause: "limit", about: "too many requests to Twilio at once" }],
  [21_205, { cause: "configuration", about: "Twilio does not accept an address of ours: see BASE_URL" }],
  [
    21_210,
    { cause: "configuration", about: "COMM_PHONE_NUMBER is no number of the account at Twilio, and not verified" },
  ],
  [21_211, { cause: "number", about: notCallable }],
  [21_212, { cause: "configuration", about: "Twilio does not accept COMM_PHONE_NUMBER" }],
  [21_213, { cause: "configuration", about: "Twilio does not accept COMM_PHONE_NUMBER" }],
  [21_214, { cause: "number", about: "the number cannot be reached" }],
  [
    21_215,
    { cause: "permission", about: "the account at Twilio may not call this country: see its geographic permissions" },
  ],
  [21_216, { cause: "permission", about: "the account at Twilio may not call this number" }],
  [21_217, { cause: "number", about: notCallable }],
  [21_219, { cause: "permission", about: "a trial account at Twilio calls verified numbers only" }],
]);

export function meaningOfError(code: number): Meaning | undefined {
  return errors.get(code);
}

const ofFarEnd = { isOfFarEnd: true } as const;

/** The status with which Twilio reports the end (`CallStatus`, `DialCallStatus`); undefined where nothing failed. */
const byStatus: Readonly<Record<string, Meaning>> = {
  busy: { cause: "busy", about: "busy", ...ofFarEnd },
  "no-answer": { cause: "no-answer", about: "no answer", ...ofFarEnd },
  canceled: { cause: "cancelled", about: "ended before anybody answered" },
  failed: { cause: "service", about: "Twilio could not connect the call" },
};

/** RFC 3261 section 21; 607 is RFC 8197 and 608 is RFC 8688. Twilio gives it as `SipResponseCode`, and as `DialSipResponseCode` where `<Sip>` was dialled. */
const bySip: Readonly<Record<number, Meaning>> = {
  403: { cause: "permission", about: "the far end's network forbids or rejects the call", ...ofFarEnd },
  404: { cause: "number", about: "the number does not exist", ...ofFarEnd },
  410: { cause: "number", about: "the number does not exist", ...ofFarEnd },
  484: { cause: "number", about: "the number is not complete", ...ofFarEnd },
  603: { cause: "declined", about: "declined", ...ofFarEnd },
  604: { cause: "number", about: "the number does not exist", ...ofFarEnd },
  607: { cause: "declined", about: "declined as unwanted", ...ofFarEnd },
  608: { cause: "declined", about: "rejected by a filter for unwanted calls", ...ofFarEnd },
};

/** Why a call was not connected. A SIP answer says more than the status, and Twilio's own error more than both. */
export function meaningOfEnd(
  status: string,
  { sip, error }: { readonly sip?: number | undefined; readonly error?: number | undefined },
): Meaning | undefined {
  const known = byStatus[status];
  if (known === undefined) return undefined;
  return (error === undefined ? undefined : errors.get(error)) ?? (sip === undefined ? undefined : bySip[sip]) ?? known;
}
