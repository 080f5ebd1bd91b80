/** What Twilio is told to do with a call, as TwiML. Every document ends by asking what comes next, so that no call is left to itself. */
import type { Settings } from "../../config/settings.ts";
import type { ErrandKind } from "../../contracts/calls/twilio-webhook-names.ts";
import { nextUrl, reportUrl, streamUrl } from "./addresses.ts";
import { toTwiml, type Verb } from "./twiml.ts";

export interface LineOfCall {
  readonly callId: string;
  readonly settings: Pick<Settings, "baseUrl" | "streamingHostUrl">;
}

/** Audio in both directions. When the socket ends, on whichever side, Twilio goes on to the next verb. */
export function streamInstructions(line: LineOfCall, token: string): string {
  const statusCallback = reportUrl(baseOf(line), "stream", { callId: line.callId });
  const stream = { name: "Stream", attributes: { url: streamUrl(line.settings, token), statusCallback } };
  return toTwiml({ name: "Connect", content: [stream] }, askNext(line, "stream"));
}

/** The call is picked up, and nothing of it is streamed. */
export function pickUpInstructions(line: LineOfCall): string {
  return toTwiml(askNext(line, "pick-up"));
}

/** The caller hears nothing until somebody says what comes next. */
export function waitInstructions(line: LineOfCall, seconds: number): string {
  return toTwiml({ name: "Pause", attributes: { length: seconds } }, askNext(line, "wait"));
}

export function playInstructions(line: LineOfCall, audioUrl: string, operation: string): string {
  return toTwiml({ name: "Play", content: audioUrl }, askNext(line, "play", operation));
}

/** Plays until other instructions are sent. */
export function holdInstructions(audioUrl: string): string {
  return toTwiml({ name: "Play", attributes: { loop: 0 }, content: audioUrl });
}

/** `digits`: half a second of silence is `w` (TwiML `<Play>`). */
export function digitInstructions(line: LineOfCall, digits: string, operation: string): string {
  return toTwiml({ name: "Play", attributes: { digits } }, askNext(line, "digits", operation));
}

export interface DialledNumber {
  /** E.164 or a SIP address. */
  readonly target: string;
  readonly callerNumber: string | undefined;
  readonly timeoutMs: number;
  readonly operation: string;
  /** For a SIP address, as `X-` headers; telephones get none. */
  readonly context: Readonly<Record<string, string>>;
}

/** Connects the call with another number. Twilio reports when it is picked up, and requests the next instructions at its end. */
export function dialInstructions(line: LineOfCall, dialled: DialledNumber): string {
  const { target, callerNumber, timeoutMs, operation, context } = dialled;
  const statusCallback = reportUrl(baseOf(line), "dialled", { callId: line.callId, operation });
  const attributes = { statusCallback, statusCallbackEvent: "answered" };
  const noun: Verb = target.startsWith("sip")
    ? { name: "Sip", attributes, content: withHeaders(target, context) }
    : { name: "Number", attributes, content: target };
  const action = nextUrl(baseOf(line), "dial", line.callId, operation);
  const dial = { action, method: "POST", timeout: Math.ceil(timeoutMs / 1000), callerId: callerNumber };
  return toTwiml({ name: "Dial", attributes: dial, content: [noun] });
}

/** The caller hears that we are busy, and the call is not charged. */
export const rejectInstructions = toTwiml({ name: "Reject", attributes: { reason: "busy" } });

export const hangUpInstructions = toTwiml({ name: "Hangup" });

/** Sends the call on. Twilio requests no further instructions, because the call is no longer ours. */
export function redirectInstructions(target: string, callerNumber: string | undefined): string {
  const noun = { name: target.startsWith("sip") ? "Sip" : "Number", content: target };
  return toTwiml({ name: "Dial", attributes: { callerId: callerNumber }, content: [noun] }, { name: "Hangup" });
}

function askNext(line: LineOfCall, after: ErrandKind, operation?: string): Verb {
  const content = nextUrl(baseOf(line), after, line.callId, operation);
  return { name: "Redirect", attributes: { method: "POST" }, content };
}

function baseOf({ settings }: LineOfCall): string {
  return settings.baseUrl ?? "";
}

/** Twilio dials no SIP address whose headers have 1,024 characters together (twilio.com/docs/api/errors/21227). There are two. */
const longestHeaderValue = 400;

/** Twilio passes the parameters of the address that begin with `x-` on as headers (TwiML `<Sip>`, custom headers). */
function withHeaders(target: string, context: Readonly<Record<string, string>>): string {
  const headers = Object.entries(context).map(([name, value]) => `X-${name}=${toHeaderValue(value)}`);
  return headers.length === 0 ? target : `${target}${target.includes("?") ? "&" : "?"}${headers.join("&")}`;
}

/** As much of the text as a header holds. One character may take twelve. */
function toHeaderValue(text: string): string {
  let value = "";
  for (const character of text.toWellFormed()) {
    const encoded = encodeURIComponent(character);
    if (value.length + encoded.length > longestHeaderValue) break;
    value += encoded;
  }
  return value;
}
