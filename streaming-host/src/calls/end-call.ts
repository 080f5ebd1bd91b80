/** Hanging up, so that it holds whether or not the service has ever heard of the call. */
import { announcedStatus, isEnded } from "@voice/shared/calls/call-transitions";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { EventBus } from "@voice/shared/state/ports/event-bus";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import type { CallLedger } from "./call-ledger.ts";

/** The `requestId` is the call's own: hanging up twice is hanging up once. */
export async function hangUpCall(
  call: CallRecord,
  reason: string,
  { ledger, automation }: { readonly ledger: CallLedger; readonly automation: CallAutomation },
): Promise<void> {
  if (isEnded(call.status)) return;
  const { callId, callConnectionId } = call;
  if (callConnectionId === undefined) {
    await ledger.end(call, "disconnected", reason);
    return;
  }
  try {
    await automation.hangUp({ requestId: `hang-up:${callId}`, callConnectionId });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "call_not_found") throw error;
    // The service has forgotten it: its last event is lost, or on its way and harmless.
    await ledger.end(call, "disconnected", reason);
  }
}

/**
 * END-7: for us the call was over before it began, because it had rung too long or was terminated; but somebody has picked
 * up. The request that should have ended it was lost.
 */
export async function hangUpUnwanted(
  { callId, callConnectionId }: CallRecord,
  { calls, automation }: { readonly calls: CallStore; readonly automation: CallAutomation },
): Promise<void> {
  if (callConnectionId === undefined) return;
  // Late news of a call that is over for the service, too.
  if ((await calls.events(callId)).some(({ type }) => endsCall(type))) return;
  try {
    await automation.hangUp({ requestId: `late-hang-up:${callId}`, callConnectionId });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "call_not_found") throw error;
  }
}

function endsCall(eventType: string): boolean {
  const status = announcedStatus(eventType);
  return status !== undefined && isEnded(status);
}

/**
 * The conversation is over: nobody is left who would notice that the call is not. So it is ended without its record where
 * the cache is away, and left to the event bus, which tries again on any host, where the service does not take it (END-6).
 */
export async function hangUpAfterConversation(
  callConnectionId: string,
  reason: string,
  dependencies: {
    readonly calls: CallStore;
    readonly events: EventBus;
    readonly ledger: CallLedger;
    readonly automation: CallAutomation;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Promise<void> {
  const { events, automation, ledger, clock, logger } = dependencies;
  const call = await findRecord(callConnectionId, dependencies);
  if (call === undefined) {
    await automation.hangUp({ requestId: `hang-up:${callConnectionId}`, callConnectionId });
    return;
  }
  try {
    await hangUpCall(call, reason, dependencies);
    await ledger.noteConversationEnd(call.callId, reason);
  } catch (error) {
    logger.warn({ error, callId: call.callId, code: toVoiceError(error).code }, "a call was not hung up at once");
    await events.publish(terminationOf(call, callConnectionId, reason, clock));
  }
}

/** Undefined while the cache is away, and when it has come back without its data. */
async function findRecord(
  callConnectionId: string,
  { calls, logger }: { readonly calls: CallStore; readonly logger: Logger },
): Promise<CallRecord | undefined> {
  try {
    return await calls.getByConnection(callConnectionId);
  } catch (error) {
    logger.warn({ error, code: toVoiceError(error).code }, "a call is ended without its record");
    return undefined;
  }
}

function terminationOf({ callId }: CallRecord, connectionId: string, reason: string, clock: Clock): CallEvent {
  return {
    id: `hang-up:${callId}:conversation-over`,
    type: "call.termination-requested",
    source: "streaming-host",
    time: new Date(clock.wallNow()).toISOString(),
    subject: callId,
    data: { call_id: callId, call_connection_id: connectionId, reason },
  };
}
