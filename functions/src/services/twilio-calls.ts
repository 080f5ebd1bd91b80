/**
 * What Twilio asks and reports. Twilio does what it is told last, and a call whose question is not answered ends: so every question gets an
 * answer, whatever state the store is in.
 */
import { createHash } from "node:crypto";
import { isEnded } from "@voice/shared/calls/call-transitions";
import { findCall } from "@voice/shared/calls/find-call";
import { partyOfText } from "@voice/shared/calls/party";
import {
  hangUpInstructions,
  rejectInstructions,
  streamInstructions,
  waitInstructions,
} from "@voice/shared/calls/twilio/instructions";
import {
  leftUs,
  reportOfAnswer,
  reportOfCall,
  reportOfDialled,
  reportOfErrand,
  reportOfStream,
  type NamedReport,
} from "@voice/shared/calls/twilio/reports";
import type { twilioIncomingCall, twilioNext, twilioReport } from "@voice/shared/contracts/http/twilio-webhooks";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { applyReport } from "./apply-report.ts";
import { recordRing } from "./inbound-calls.ts";

type Parts = Pick<Dependencies, "state" | "callRequests" | "releases" | "clock" | "settings" | "logger"> & {
  readonly traceparent: string | undefined;
};

/** Twilio waits 15 s for an answer; the caller hears it ring meanwhile. */
const ringMs = 12_000;
/** While the next instruction is not known, the caller hears silence for this long before Twilio requests it again. */
const patienceSeconds = 2;
/** A call without a stream waits for the words that are played to it, and then for its end. */
const wordsSeconds = 20;

/** Rings until a host has said what to do with the call, or the time is over: then the caller hears that we are busy. */
export async function answerIncomingCall(
  { CallSid: sid, From: from, To: to }: z.output<typeof twilioIncomingCall.body>,
  parts: Parts,
): Promise<string> {
  const { state, callRequests, releases, clock, settings, traceparent } = parts;
  const { telephoneLines: lines } = state;
  const ring = {
    incomingCallContext: sid,
    rangAtMs: clock.wallNow(),
    caller: partyOfText(from ?? ""),
    called: to === undefined ? undefined : partyOfText(to),
    ring: to ?? "",
  };
  try {
    await recordRing(ring, { calls: state.calls, callRequests, releases, clock, settings, traceparent });
    const instructions = await lines.instructions(sid, ringMs);
    if (instructions !== undefined) return instructions;
    await lines.instruct(sid, rejectInstructions);
    return (await lines.instructions(sid, 0)) ?? rejectInstructions;
  } catch (error) {
    // Twilio would say that an application error has occurred.
    parts.logger.error({ error, code: toVoiceError(error).code }, "an incoming call could not be taken");
    return rejectInstructions;
  }
}

/** Never rejects: a call that nobody can say anything about waits. */
export async function sayWhatIsNext(
  { after, call_id: callId, operation }: z.output<typeof twilioNext.query>,
  form: z.output<typeof twilioNext.body>,
  parts: Parts,
): Promise<string> {
  const line = { callId, settings: parts.settings };
  const { CallSid: connectionId, DialCallStatus: dialled } = form;
  try {
    const sip = form.DialSipResponseCode;
    const report =
      after === "dial"
        ? reportOfDialled(dialled, operation, { ...form, SipResponseCode: sip })
        : reportOfErrand(after, operation);
    if (report !== undefined) await apply(report, { callId, connectionId, key: `${after}:${operation ?? ""}` }, parts);
    if (after !== "stream" && after !== "wait") await parts.state.telephoneLines.endErrand(connectionId);
    const call = await findCall(parts.state.calls, { connectionId, callId });
    if (call === undefined || isOver(call)) return hangUpInstructions;
    if (after === "dial" && report?.type.endsWith("Accepted") === true) return hangUpInstructions;
    if (after === "pick-up" || after === "play") return waitInstructions(line, wordsSeconds);
    if (call.turnedAway === true) return hangUpInstructions;
    // A stream that broke at once would be opened again at once, without end.
    if (after === "stream" && (await parts.state.telephoneLines.isOpening(callId))) return waitInstructions(line, 1);
    return streamInstructions(line, await parts.state.telephoneLines.issueToken(callId));
  } catch (error) {
    parts.logger.warn({ error, callId, code: toVoiceError(error).code }, "Twilio could not be told what comes next");
    return waitInstructions(line, patienceSeconds);
  }
}

export async function takeReport(
  { about, call_id: callId, operation }: z.output<typeof twilioReport.query>,
  form: z.output<typeof twilioReport.body>,
  parts: Parts,
): Promise<void> {
  const { CallSid: sid, CallStatus: status, SequenceNumber: sequence = 0, StreamSid: stream = "" } = form;
  const about_ = { callId, timestamp: form.Timestamp };
  switch (about) {
    case "call":
      return applyIf(reportOfCall(status, form), { ...about_, connectionId: sid, key: `${status}:${sequence}` }, parts);
    case "machine":
      return applyIf(reportOfAnswer(form.AnsweredBy), { ...about_, connectionId: sid, key: "answered-by" }, parts);
    case "stream": {
      const key = `${stream}:${form.StreamEvent}`;
      return applyIf(reportOfStream(form.StreamEvent), { ...about_, connectionId: sid, key }, parts);
    }
    case "dialled": {
      const report = reportOfDialled(status, operation, form);
      const { ParentCallSid: connectionId } = form;
      if (connectionId === undefined || report?.type.endsWith("Accepted") !== true) return undefined;
      await apply(report, { ...about_, connectionId, key: `dial:${operation ?? ""}` }, parts);
      // The two talk to each other, which Twilio goes on to carry: for us the call is over.
      return applyIf(leftUs, { ...about_, connectionId, key: `left:${operation ?? ""}` }, parts);
    }
  }
}

interface Occasion {
  readonly connectionId: string;
  readonly callId?: string | undefined;
  /** Identifies the report among the reports of the call. A repeated delivery has the same key. */
  readonly key: string;
  readonly timestamp?: string | undefined;
}

async function applyIf(report: NamedReport | undefined, occasion: Occasion, parts: Parts): Promise<void> {
  if (report !== undefined) await apply(report, occasion, parts);
}

async function apply(
  { type, content }: NamedReport,
  { connectionId, callId, key, timestamp = "" }: Occasion,
  { state, callRequests, clock, traceparent }: Parts,
): Promise<void> {
  const eventId = createHash("sha256").update(`${connectionId} ${key} ${type}`).digest("base64url").slice(0, 22);
  const reportedMs = Date.parse(timestamp);
  const atMs = Number.isNaN(reportedMs) ? clock.wallNow() : reportedMs;
  const { calls, callOperations } = state;
  await applyReport({ eventId, type, atMs, connectionId, callId, content }, `twilio/calls/${connectionId}`, {
    calls,
    callOperations,
    callRequests,
    traceparent,
  });
}

/** Also of a call that is to be hung up: Twilio ends it as soon as it hears that. */
function isOver({ status, hangUpAtMs }: CallRecord): boolean {
  return isEnded(status) || hangUpAtMs !== undefined;
}
