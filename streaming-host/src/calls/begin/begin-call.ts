/** Places and answers calls: the record names a call, the service is asked for it once, and the record gets its id. */
import { callerHasGone, cancelled, notHandledInTime } from "@voice/shared/calls/failure-reason";
import { streamWithinMs } from "@voice/shared/calls/fleet-capacity";
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { NewCallOptions } from "@voice/provider-kit/ports/call-automation";
import type { CallParts } from "../call-parts.ts";
import { isMistake } from "../effects/service-operation.ts";
import { hangUpOrLeaveToBus } from "../end/end-call.ts";
import { followUpMs } from "../report-times.ts";
import { findPlace } from "./find-place.ts";
import type { WaitingCall } from "./find-place.ts";
import { callAddresses, streamOf } from "./media-address.ts";
import { rejectCall } from "./reject-call.ts";

export function placeCall(callId: string, requestId: string, parts: CallParts, signal: AbortSignal): Promise<void> {
  const { host, automation } = parts;
  const limits = {
    notAfterMs: host.settings.commCallTimeoutMs,
    placeForMs: host.settings.commCallTimeoutMs + streamWithinMs,
  };
  return begin(callId, limits, parts, signal, (call) => {
    const { targetNumber, callerNumber = host.settings.commPhoneNumber } = call;
    if (callerNumber === undefined) throw new VoiceError("dependency_not_ready", "COMM_PHONE_NUMBER is not set");
    if (targetNumber === undefined) throw new VoiceError("pstn_number_invalid", "the call names no number to call");
    return automation.place({
      ...newCallOptions(call, requestId, host.settings),
      targetNumber,
      callerNumber,
    });
  });
}

export function answerCall(
  { callId, incomingCallContext }: { readonly callId: string; readonly incomingCallContext: string },
  requestId: string,
  parts: CallParts,
  signal: AbortSignal,
): Promise<void> {
  const { host, automation } = parts;
  const limits = { notAfterMs: automation.answerWithinMs, placeForMs: streamWithinMs, incomingCallContext };
  return begin(callId, limits, parts, signal, (call) =>
    automation.answer({ ...newCallOptions(call, requestId, host.settings), incomingCallContext }),
  );
}

type Limits = Omit<WaitingCall, "call">;

/** Rejects if another attempt may help; any other failure ends the call with its reason. */
async function begin(
  callId: string,
  limits: Limits,
  parts: CallParts,
  signal: AbortSignal,
  ask: (call: CallRecord) => Promise<{ readonly callConnectionId: string }>,
): Promise<void> {
  const { host, ledger } = parts;
  const known = await host.state.calls.get(callId);
  if (known === undefined || known.callConnectionId !== undefined) return;
  const isFresh = host.clock.wallNow() - (known.rangAtMs ?? known.createdAtMs) <= limits.notAfterMs;
  const isOver = isEnded(known.status);
  if (isOver && !(isFresh && wasTerminated(known))) return;
  if (!isFresh) {
    await ledger.fail(known, notHandledInTime(known.notBegunBecause));
    return;
  }
  if (isOver && known.firstAskedAtMs === undefined) return stopRinging(known, limits, parts);
  // A call that is over is asked for again: its phone may ring, and only its id, which was lost, can silence it.
  if (!isOver && !(await findPlace({ call: known, ...limits }, parts, signal))) return;
  const call = await ledger.markAsked(known);
  const isRepetition = known.firstAskedAtMs !== undefined;
  let callConnectionId: string;
  try {
    ({ callConnectionId } = await (isRepetition ? ask(call) : askUnlessDenied(call, ask, parts)));
  } catch (error) {
    return takeRefusal(call, error, { isRepetition }, parts);
  }
  const accepted = await ledger.markAccepted(call, callConnectionId);
  if (call.direction === "inbound") parts.reports.expect(callId);
  // An incoming call is connected now and one that rings soon may be, whether or not the service's report of that comes.
  await parts.host.state.callChecks.expect(callId, followUpMs);
  // The call was terminated while the service was being asked, when there was nothing to hang up yet.
  if (isEnded(accepted.status))
    await hangUpOrLeaveToBus({ ...accepted, callConnectionId }, { reason: "terminated", why: "accepted" }, parts);
  else ledger.announce(accepted, "accepted");
  return undefined;
}

/**
 * The service has said of a call that rang that it knows no such call, and took the next request (graph-comms-samples#191). Where the
 * caller has gone, the pauses keep nobody waiting.
 */
const deniedPausesMs = [500, 1500];

async function askUnlessDenied<Answer>(
  call: CallRecord,
  ask: (call: CallRecord) => Promise<Answer>,
  { host }: CallParts,
): Promise<Answer> {
  for (const pauseMs of deniedPausesMs) {
    try {
      return await ask(call);
    } catch (error) {
      if (toVoiceError(error).code !== "call_not_found") throw error;
      await pause(host.clock, pauseMs);
      const now = await host.state.calls.get(call.callId);
      if (now === undefined || isEnded(now.status) || now.callConnectionId !== undefined) throw error;
    }
  }
  return ask(call);
}

/** For us it is over, and the service has not said so: a phone may ring. */
function wasTerminated({ failureCode, endedByService }: CallRecord): boolean {
  return failureCode === cancelled.code && endedByService !== true;
}

/** A call that was terminated before anybody asked the service for it: the caller of an incoming one still hears it ring. */
async function stopRinging(call: CallRecord, { incomingCallContext }: Limits, parts: CallParts): Promise<void> {
  if (incomingCallContext !== undefined) await rejectCall(call, incomingCallContext, parts);
}

async function takeRefusal(
  call: CallRecord,
  error: unknown,
  { isRepetition }: { readonly isRepetition: boolean },
  { host, ledger }: CallParts,
): Promise<void> {
  const { callId, direction } = call;
  const { code, retryable, message } = toVoiceError(error);
  if (code === "rate_limited" && !isRepetition) await ledger.markUnasked(call);
  if (retryable) {
    await ledger.markNotBegun(call, message);
    throw error; // whoever tries again says so in the log
  }
  host.logger.warn({ error, callId, code }, "a call could not be begun");
  // An earlier request may have been accepted, and then the service's event says that the call is answered. Without
  // such an event, the call ends when its time to be answered has passed.
  if (isRepetition && !isMistake(code)) return;
  if (direction === "inbound" && code === "conflict") return;
  if (code !== "call_not_found") await ledger.fail(call, { code, reason: message });
  else if (direction === "inbound") await ledger.fail(call, callerHasGone);
  // There was no call that it could know, so nobody knows what it means.
  else await ledger.fail(call, { code: "upstream_unavailable", reason: message });
}

function newCallOptions(call: CallRecord, id: string, settings: Settings): NewCallOptions {
  const { callId, createdAtMs, firstAskedAtMs: firstSentAtMs = createdAtMs } = call;
  return {
    repetition: { id, firstSentAtMs },
    callId,
    // A caller who is only told that nobody can talk with them needs no stream.
    stream: call.turnedAway === true ? undefined : streamOf(call, settings),
    ...callAddresses(settings, call),
  };
}
