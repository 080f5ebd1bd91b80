/** Hanging up, so that it holds whether or not the service has ever heard of the call. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { pause } from "@voice/shared/platform/pause";
import type { EventBus } from "@voice/shared/state/ports/event-bus";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import type { CallLedger } from "./call-ledger.ts";
import { ifStoreReachable } from "./if-store-reachable.ts";

export interface EndCallDependencies {
  readonly calls: CallStore;
  readonly events: EventBus;
  readonly ledger: CallLedger;
  readonly automation: CallAutomation;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Also for a call that is over for us only, because it rang too long or was terminated before the service knew it: its
 * phone may ring, or be picked up, until the service itself says that it is over (END-7). Hanging up twice is hanging up
 * once: the service knows the second request by its repetition.
 */
export async function hangUpCall(
  call: CallRecord,
  reason: string,
  { ledger, automation, clock }: Pick<EndCallDependencies, "ledger" | "automation" | "clock">,
): Promise<void> {
  const { callId, callConnectionId, endedByService } = call;
  if (endedByService === true) return;
  if (callConnectionId === undefined) {
    if (!isEnded(call.status)) await ledger.end(call, reason);
    return;
  }
  // A call is ended also while its record cannot be written.
  const { hangUpAtMs: firstSentAtMs = clock.wallNow() } =
    (await ifStoreReachable(() => ledger.askForEnd(call, reason))) ?? call;
  try {
    await automation.hangUp({ repetition: { id: `hang-up:${callId}`, firstSentAtMs }, callConnectionId });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "call_not_found") throw error;
    // The service has forgotten it: its last event is lost, or on its way and harmless.
    await ledger.end(call, reason);
  }
}

/** Between two requests to end a call that the service cannot end yet. */
const refusedAgainMs = 1000;
/** No network lets a phone ring for longer. */
const longestRingMs = 5 * 60_000;

/**
 * END-9: the service may refuse to end a call that still rings. Then it is asked again until the phone is silent: each time
 * as a new wish, since the answer to a repetition would be the refusal. Rejects when the signal is aborted before, so that
 * the event goes to another host.
 */
export async function hangUpUntilSilent(
  call: CallRecord,
  reason: string,
  dependencies: Pick<EndCallDependencies, "calls" | "ledger" | "automation" | "clock">,
  signal: AbortSignal,
): Promise<void> {
  const { calls, ledger, automation, clock } = dependencies;
  const { callId, callConnectionId } = call;
  try {
    return await hangUpCall(call, reason, dependencies);
  } catch (error) {
    if (!isRefusedForNow(error) || callConnectionId === undefined) throw error;
  }
  // For us it is over: who picks up now is not to be talked to (END-7).
  await ledger.end(call, reason);
  const untilMs = clock.now() + longestRingMs;
  while (clock.now() < untilMs) {
    await pause(clock, refusedAgainMs);
    if (signal.aborted)
      throw new VoiceError("dependency_not_ready", "this host is leaving before a phone has stopped ringing");
    const now = await calls.get(callId);
    if (now === undefined || now.endedByService === true) return undefined;
    const firstSentAtMs = clock.wallNow();
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
 * At once, or by the event bus, which tries again on any host, where the service does not take it. `why` tells wishes to
 * end the same call apart: each is handed to the bus once.
 */
export async function hangUpOrLeaveToBus(
  call: CallRecord,
  { reason, why }: { readonly reason: string; readonly why: string },
  dependencies: EndCallDependencies,
): Promise<void> {
  const { events, clock, logger } = dependencies;
  try {
    await hangUpCall(call, reason, dependencies);
  } catch (error) {
    logger.warn({ error, callId: call.callId, code: toVoiceError(error).code }, "a call was not hung up at once");
    await events.publish(terminationOf(call, { reason, why }, clock));
  }
}

/**
 * The conversation is over: nobody is left who would notice that the call is not. So it is ended without its record where
 * the cache is away, and left to the event bus where the service does not take it (END-6).
 */
export async function hangUpAfterConversation(
  callConnectionId: string,
  reason: string,
  dependencies: EndCallDependencies,
): Promise<void> {
  const { automation, ledger, clock, logger } = dependencies;
  const call = await findRecord(callConnectionId, dependencies);
  if (call === undefined) {
    const repetition = { id: `hang-up:${callConnectionId}`, firstSentAtMs: clock.wallNow() };
    await automation.hangUp({ repetition, callConnectionId });
    return;
  }
  await hangUpOrLeaveToBus(call, { reason, why: "conversation-over" }, dependencies);
  try {
    await ledger.noteConversationEnd(call.callId, reason);
  } catch (error) {
    logger.warn(
      { error, callId: call.callId, code: toVoiceError(error).code },
      "the end of a conversation was not noted",
    );
  }
}

/** Undefined while the cache is away, and when it has come back without its data. */
async function findRecord(
  callConnectionId: string,
  { calls, logger }: Pick<EndCallDependencies, "calls" | "logger">,
): Promise<CallRecord | undefined> {
  try {
    return await calls.getByConnection(callConnectionId);
  } catch (error) {
    logger.warn({ error, code: toVoiceError(error).code }, "a call is ended without its record");
    return undefined;
  }
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
