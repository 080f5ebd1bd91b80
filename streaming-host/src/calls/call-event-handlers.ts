/** What call control does for each call event. Any host may get any event, more than once and in any order. */
import { failedStream, isStreamStopped, streamFailureOf } from "@voice/shared/calls/apply-callback";
import { announcedStatus, isEnded, shortEventType } from "@voice/shared/calls/call-transitions";
import { callReport } from "@voice/shared/contracts/calls/call-report";
import { machineReportedTopic } from "@voice/shared/contracts/events/operator-command";
import type { EventHandlers } from "@voice/shared/state/ports/event-bus";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { endAbandonedConversation } from "./end/abandoned-conversation.ts";
import { answerCall, placeCall } from "./begin/begin-call.ts";
import type { CallParts } from "./call-parts.ts";
import { hangUpOrLeaveToBus, hangUpUntilSilent } from "./end/end-call.ts";
import { removeLatecomer } from "./effects/give-up-invitation.ts";
import { sayFarewell } from "./end/farewell.ts";
import { isAnswered } from "./end/follow-up.ts";
import { followUpMs, quietMs } from "./report-times.ts";
import { awaitReopening, recoverMedia } from "./stream/media-recovery.ts";

export function callEventHandlers(parts: CallParts): EventHandlers {
  const { host, ledger } = parts;
  return {
    "call.initiation-requested": ({ id, data }, { signal }) => placeCall(data.call_id, id, parts, signal),
    "call.inbound-received": ({ id, data }, { signal }) =>
      answerCall({ callId: data.call_id, incomingCallContext: data.incoming_call_context }, id, parts, signal),
    "call.farewell-requested": ({ data }) => sayFarewell(data.call_id, data.farewell, parts),
    "call.termination-requested": async ({ data }, { signal }) => {
      const call = await host.state.calls.get(data.call_id);
      if (call === undefined) return;
      await hangUpUntilSilent(call, data.reason, parts, signal);
      await concludeIfOver(data.call_id, parts, signal);
    },
    "call.callback-received": async ({ data }, { signal }) => {
      parts.reports.arrived();
      const call = await host.state.calls.get(data.call_id);
      if (call === undefined) return;
      const type = shortEventType(data.callback_type);
      const payload = callReport.parse(data.payload);
      ledger.announce(call, type, streamFailureOf(type, payload));
      if (payload.answeredBy === "machine")
        host.state.broadcasts.send(machineReportedTopic(call.sessionId), payload.answeredBy);
      if (isEnded(call.status)) return handleReportOnEndedCall(call, type, parts, signal);
      if (type === "AddParticipantSucceeded") await removeLatecomer(call, payload, parts);
      return handleReport(call, type, parts);
    },
  };
}

async function handleReport(call: CallRecord, type: string, parts: CallParts): Promise<void> {
  const { host } = parts;
  const { callId } = call;
  await host.state.callChecks.set(callId, call.hangUpAtMs === undefined ? quietMs : followUpMs);
  if (announcedStatus(type) === "connected") await isAnswered(call, parts);
  if (isStreamStopped(type)) await awaitReopening(call, parts);
  const failed = failedStream(type);
  if (failed !== undefined) await recoverMedia(call, failed, parts);
}

async function handleReportOnEndedCall(
  call: CallRecord,
  type: string,
  parts: CallParts,
  signal: AbortSignal,
): Promise<void> {
  const { host } = parts;
  const { callId } = call;
  await Promise.all([host.state.callStreams.forget(callId), host.state.callPlaces.giveBack(callId, 0)]);
  if (call.endedByService === true) await host.state.callChecks.forget(callId);
  const announced = announcedStatus(type);
  if (announced === "connected")
    await hangUpOrLeaveToBus(call, { reason: "picked up too late", why: "picked-up-late" }, parts);
  else if (announced !== undefined) await endAbandonedConversation(call, parts, signal);
}

/** The service sends no last event for a call that it no longer knows. */
export async function concludeIfOver(callId: string, parts: CallParts, signal?: AbortSignal): Promise<void> {
  const call = await parts.host.state.calls.get(callId);
  if (call !== undefined && isEnded(call.status)) await endAbandonedConversation(call, parts, signal);
}
