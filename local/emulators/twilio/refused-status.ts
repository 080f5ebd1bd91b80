/** How Twilio reports a phone that nobody picked up: the status of the call, and the SIP answer of its network (`SipResponseCode`). */
import type { Refusal } from "../comm/refusals.ts";

/** Call resource, `status`. */
export type CallStatus =
  | "queued"
  | "ringing"
  | "in-progress"
  | "completed"
  | "busy"
  | "failed"
  | "no-answer"
  | "canceled";

interface Refused {
  readonly status: CallStatus;
  readonly sip: number | undefined;
}

const refused: Readonly<Record<Refusal, Refused>> = {
  busy: { status: "busy", sip: 486 },
  declined: { status: "busy", sip: 603 },
  "no-answer": { status: "no-answer", sip: undefined },
  unknown: { status: "failed", sip: 404 },
};

export function refusedStatus(refusal: Refusal): Refused {
  return refused[refusal];
}
