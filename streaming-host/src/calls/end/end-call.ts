/** Hangs up reliably, even if the service has never heard of the call. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallParts } from "../call-parts.ts";
import { ifStoreReachable } from "../if-store-reachable.ts";
import { followUpMs } from "../report-times.ts";

/**
 * Also for a call that is over only for us, because it rang too long or was terminated before the service knew it: its
 * phone may ring, or be picked up, until the service itself says that it is over (END-7). Hanging up twice is safe,
 * because the service recognises the repeated request.
 */
export async function hangUpCall(call: CallRecord, reason: string, parts: CallParts): Promise<void> {
  const { host, ledger, automation } = parts;
  const { callId, callConnectionId, endedByService } = call;
  if (endedByService === true) return;
  if (callConnectionId === undefined) {
    if (!isEnded(call.status)) await ledger.end(call, reason);
    return;
  }
  // First of all, so that the call is ended whenever this host dies, and asked about until the service reports the end (END-10).
  await ifStoreReachable(() => host.state.callChecks.set(callId, followUpMs));
  // A call is ended even while its record cannot be written.
  const { hangUpAtMs: firstSentAtMs = host.clock.wallNow() } =
    (await ifStoreReachable(() => ledger.markEndAsked(call, reason))) ?? call;
  try {
    await automation.hangUp({ repetition: { id: `hang-up:${callId}`, firstSentAtMs }, callConnectionId });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "call_not_found") throw error;
    // This is no proof that the call is over: the service has said so of calls that went on. The next check asks again.
    await ifStoreReachable(() => host.state.callChecks.set(callId, 0));
  }
}

/** The pause between requests to end a call that the service cannot end yet. */
const refusedAgainMs = 1000;
/** No network lets a phone ring for longer. */
const longestRingMs = 5 * 60_000;

/**
 * END-9: the service may refuse to end a call that still rings. It is then asked again until the phone is silent, each
 * time as a new request, because a repeated one would get the same refusal. Rejects if the signal is aborted before
 * that, so that the event goes to another host.
 */
export async function hangUpUntilSilent(
  call: CallRecord,
  reason: string,
  parts: CallParts,
  signal: AbortSignal,
): Promise<void> {
  const { host, ledger, automation } = parts;
  const { callId, callConnectionId } = call;
  try {
    return await hangUpCall(call, reason, parts);
  } catch (error) {
    if (!isRefusedForNow(error) || callConnectionId === undefined) throw error;
  }
  // For us the call is over, so nobody talks to a person who picks up now (END-7).
  await ledger.end(call, reason);
  const untilMs = host.clock.now() + longestRingMs;
  while (host.clock.now() < untilMs) {
    await pause(host.clock, refusedAgainMs);
    if (signal.aborted)
      throw new VoiceError("dependency_not_ready", "this host is leaving before a phone has stopped ringing");
    const now = await host.state.calls.get(callId);
    if (now === undefined || now.endedByService === true) return undefined;
    // The follow-up waits for this.
    await host.state.callChecks.set(callId, followUpMs);
    const firstSentAtMs = host.clock.wallNow();
    try {
      return await automation.hangUp({
        repetition: { id: `hang-up:${callId}:${firstSentAtMs}`, firstSentAtMs },
        callConnectionId,
      });
    } catch (error) {
      if (toVoiceError(error).code === "call_not_found") return undefined;
      if (!isRefusedForNow(error)) throw error;
    }
  }
  return undefined;
}

function isRefusedForNow(error: unknown): boolean {
  return error instanceof VoiceError && error.code === "conflict" && error.retryable;
}

/**
 * Ends the call at once or, if the service does not accept that, through the event bus, which tries again on any host.
 * `why` distinguishes requests to end the same call: each is published once.
 */
export async function hangUpOrLeaveToBus(
  call: CallRecord,
  { reason, why }: { readonly reason: string; readonly why: string },
  parts: CallParts,
): Promise<void> {
  const { host } = parts;
  try {
    await hangUpCall(call, reason, parts);
  } catch (error) {
    host.logger.warn({ error, callId: call.callId, code: toVoiceError(error).code }, "a call was not hung up at once");
    await host.state.events.publish(terminationOf(call, { reason, why }, host.clock));
  }
}

/**
 * The conversation is over, so nobody would notice that the call is not. The call is ended even if its record cannot be
 * read, and left to the event bus if the service does not accept that (END-6).
 */
export async function hangUpAfterConversation(
  callConnectionId: string,
  reason: string,
  parts: CallParts,
): Promise<void> {
  const { host, automation, ledger } = parts;
  const call = await findRecord(callConnectionId, parts);
  if (call === undefined) {
    const repetition = { id: `hang-up:${callConnectionId}`, firstSentAtMs: host.clock.wallNow() };
    await automation.hangUp({ repetition, callConnectionId });
    return;
  }
  await hangUpOrLeaveToBus(call, { reason, why: "conversation-over" }, parts);
  await warnIfItFails(host.logger, { callId: call.callId }, "the end of a conversation was not noted", () =>
    ledger.logConversationEnd(call.callId, reason),
  );
}

/** Undefined while the cache is unreachable, and when it has come back without its data. */
async function findRecord(callConnectionId: string, { host }: CallParts): Promise<CallRecord | undefined> {
  return await warnIfItFails(host.logger, {}, "a call is ended without its record", () =>
    host.state.calls.getByConnection(callConnectionId),
  );
}

function terminationOf(
  { callId, callConnectionId }: CallRecord,
  { reason, why }: { readonly reason: string; readonly why: string },
  clock: Clock,
): CallEvent {
  return {
    id: `hang-up:${callId}:${why}`,
    type: "call.termination-requested",
    source: "streaming-host",
    time: new Date(clock.wallNow()).toISOString(),
    subject: callId,
    data: { call_id: callId, call_connection_id: callConnectionId, reason },
  };
}
