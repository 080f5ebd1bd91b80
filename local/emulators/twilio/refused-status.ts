/**
 * How Twilio reports a phone that nobody picked up: the status of the call (twilio.com/docs/voice/api/call-resource#call-status-values), and the
 * SIP answer of its network, which the reports of a call name `SipResponseCode` (same page, StatusCallback). A request that Twilio really sent,
 * with `no-answer` and 487, is quoted in github.com/somleng/somleng-switch/issues/7. That 486 is `busy` says twilio.com/docs/api/errors/31486;
 * under which status a declined call (31603) is reported, no page says.
 */
import type { Refusal } from "../comm/refusals.ts";

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
  "no-answer": { status: "no-answer", sip: 487 },
  unknown: { status: "failed", sip: 404 },
};

export function refusedStatus(refusal: Refusal): Refused {
  return refused[refusal];
}
