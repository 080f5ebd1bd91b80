/** What Twilio's reports say in our own terms. Pure. */
import type { CallReport } from "../../contracts/calls/call-report.ts";
import { meaningOfEnd } from "./codes.ts";

/** One of Twilio's reports, with the type under which it is known to us. */
export interface NamedReport {
  readonly type: string;
  readonly content: CallReport;
}

interface Ended {
  readonly SipResponseCode?: number | undefined;
  readonly ErrorCode?: number | undefined;
}

const named = (name: string, content: CallReport = {}): NamedReport => ({ type: `Twilio.${name}`, content });

/** Undefined for a status that we do not know. */
export function reportOfCall(status: string | undefined, ended: Ended): NamedReport | undefined {
  switch (status) {
    case "queued":
    case "initiated":
      return named("CallInitiated");
    case "ringing":
      return named("CallRinging");
    case "in-progress":
      return named("CallConnected");
    case "completed":
      return named("CallDisconnected");
    case "busy":
    case "no-answer":
    case "canceled":
    case "failed":
      return named("CreateCallFailed", resultOf(status, ended));
    default:
      return undefined;
  }
}

/** Somebody to whom the call was sent. Undefined while their phone rings. */
export function reportOfDialled(
  status: string | undefined,
  operationContext: string | undefined,
  ended: Ended,
): NamedReport | undefined {
  if (status === "in-progress" || status === "answered" || status === "completed")
    return named("CallTransferAccepted", { operationContext });
  const result = status === undefined ? undefined : resultOf(status, ended);
  if (status === undefined || result?.result?.meaning === undefined) return undefined;
  return named("CallTransferFailed", { operationContext, ...result });
}

/** Who answered (twilio.com/docs/voice/answering-machine-detection): `unknown` says nothing. */
export function reportOfAnswer(answeredBy: string | undefined): NamedReport | undefined {
  if (answeredBy === "human") return named("AnswerDetected", { answeredBy: "person" });
  if (answeredBy === "fax" || answeredBy?.startsWith("machine_") === true)
    return named("AnswerDetected", { answeredBy: "machine" });
  return undefined;
}

/** The stream (TwiML `<Stream>`, attribute `statusCallback`). */
export function reportOfStream(event: string | undefined): NamedReport | undefined {
  switch (event) {
    case "stream-started":
      return named("MediaStreamingStarted");
    case "stream-stopped":
      return named("MediaStreamingStopped");
    case "stream-error":
      return named("MediaStreamingFailed", { streamProblem: "stream-error" });
    default:
      return undefined;
  }
}

/** Twilio has carried out an instruction. */
export function reportOfErrand(after: string, operationContext: string | undefined): NamedReport | undefined {
  if (after === "pick-up") return named("CallConnected");
  if (after === "play") return named("PlayCompleted", { operationContext });
  return after === "digits" ? named("SendDtmfTonesCompleted", { operationContext }) : undefined;
}

/** The call goes on between two others, and we are out of it. */
export const leftUs = named("CallDisconnected");

function resultOf(status: string, { SipResponseCode: sip, ErrorCode: error }: Ended): CallReport {
  return { result: { meaning: meaningOfEnd(status, { sip, error }), code: sip, subCode: error } };
}
