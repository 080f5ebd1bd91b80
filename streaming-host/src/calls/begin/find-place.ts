/** FULL: a call is begun only if a place is reserved for its stream; also handles calls for which there is none. */
import { allPlacesTaken, reservePlace } from "@voice/shared/calls/fleet-capacity";
import { isEnded } from "@voice/shared/calls/call-transitions";
import { addressOf } from "@voice/shared/config/destinations";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallParts } from "../call-parts.ts";
import { rejectCall } from "./reject-call.ts";

/** How often a ringing call checks whether a place has become free. */
const lookEveryMs = 250;
/** Ends before the call's context is stale, so that the caller can still be told that we are busy. */
const rejectionMs = 2000;

export interface WaitingCall {
  readonly call: CallRecord;
  /** The context with which an inbound call is answered. */
  readonly incomingCallContext?: string | undefined;
  /** After this long from its creation, the call can no longer be begun. */
  readonly notAfterMs: number;
  /** How long a place is reserved for the call's stream. */
  readonly placeForMs: number;
}

/**
 * Whether the call is to be begun: a host will carry it or, as its record then says (`turnedAway`), it is told why nobody
 * can talk. Rejects if the signal is aborted before, so that another host goes on waiting.
 */
export async function findPlace(waiting: WaitingCall, parts: CallParts, signal: AbortSignal): Promise<boolean> {
  const { call, placeForMs } = waiting;
  if (call.turnedAway === true || (await reserve(parts, call.callId, placeForMs))) return true;
  const { incomingCallContext } = waiting;
  const answer = incomingCallContext === undefined ? "ring" : parts.host.settings.commWhenFull;
  await parts.ledger.logTurnedAway(call, answer);
  if (answer === "message") {
    await parts.ledger.markTurnedAway(call);
    return true;
  }
  if (answer === "redirect" && incomingCallContext !== undefined)
    if (await redirect(call, incomingCallContext, parts)) return false;
  return waitForPlace(waiting, parts, signal);
}

/** False if the service does not accept it: then the call rings on. */
async function redirect(
  call: CallRecord,
  incomingCallContext: string,
  { host, automation, ledger }: CallParts,
): Promise<boolean> {
  const { callId } = call;
  const target = addressOf(host.settings.commWhenFullTarget ?? "", host.settings.commDestinations);
  if (target === undefined || target === "") return false;
  const { firstAskedAtMs: firstSentAtMs = host.clock.wallNow() } = await ledger.markAsked(call);
  try {
    await automation.redirect({
      repetition: { id: `redirect:${callId}`, firstSentAtMs },
      incomingCallContext,
      target,
      callerNumber: host.settings.commPhoneNumber,
    });
  } catch (error) {
    const { code, retryable } = toVoiceError(error);
    host.logger.warn({ error, callId, code }, "a call could not be redirected while all places were taken");
    if (retryable) throw error;
    return false;
  }
  const reason = `${allPlacesTaken.reason}; the call was redirected`;
  await ledger.fail(call, { ...allPlacesTaken, reason });
  return true;
}

async function waitForPlace(
  { call, incomingCallContext, notAfterMs, placeForMs }: WaitingCall,
  parts: CallParts,
  signal: AbortSignal,
): Promise<boolean> {
  const { host, ledger } = parts;
  const { callId, createdAtMs, rangAtMs = createdAtMs } = call;
  while (host.clock.wallNow() - rangAtMs < notAfterMs - rejectionMs) {
    await pause(host.clock, lookEveryMs);
    if (signal.aborted)
      throw new VoiceError("dependency_not_ready", "this host is leaving while a call waits for a place");
    const now = await host.state.calls.get(callId);
    if (now === undefined || now.callConnectionId !== undefined) return false;
    if (isEnded(now.status)) {
      // Somebody terminated it, and nothing but this can tell the caller, who still hears it ring.
      if (incomingCallContext !== undefined) await rejectCall(call, incomingCallContext, parts);
      return false;
    }
    if (await reserve(parts, callId, placeForMs)) return true;
  }
  await ledger.fail(call, allPlacesTaken);
  if (incomingCallContext !== undefined) await rejectCall(call, incomingCallContext, parts);
  return false;
}

async function reserve({ host }: CallParts, callId: string, forMs: number): Promise<boolean> {
  return reservePlace({ hosts: await host.state.hosts.list(), callPlaces: host.state.callPlaces }, callId, forMs);
}
