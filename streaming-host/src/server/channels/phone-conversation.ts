/** A conversation on a phone call that the telephone service streams to us, whichever service it is. */
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { Settings } from "@voice/shared/config/settings";
import { contextOfCall } from "@voice/shared/conversation/call-context";
import { farNumberOf, type CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallControl } from "../../calls/call-control.ts";
import type { FindCall } from "../host/recalled-state.ts";
import type { Host } from "../../host/host.ts";
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { BilledCall } from "../../session/usage/call-time.ts";
import type { ConversationLife } from "../conversations/connect/connection.ts";

/** The phone calls that streams may carry. */
export interface CallsOfStreams {
  readonly findCall: FindCall;
  /** Absent if there is no telephone service. */
  readonly callControl?: Pick<CallControl, "carryStream" | "hangUp" | "recordStream" | "timeWithoutHost"> | undefined;
}

/** What the call's record says about its conversation. */
export function requestOfCall(call: CallRecord | undefined) {
  return {
    phoneNumber: call && farNumberOf(call),
    scenario: call?.scenario,
    release: call?.release,
    startAgent: call?.agent,
    context: call && contextOfCall(call),
    language: call?.language,
    timeZone: call?.timeZone,
    isRecorded: call?.recording,
    callId: call?.callId,
  } satisfies Partial<ConversationRequest>;
}

/** What is true only where the telephone service itself is at the other end. */
export function requestOfPhone(
  call: CallRecord | undefined,
  { settings, clock }: Pick<Host, "settings" | "clock">,
  callControl: CallsOfStreams["callControl"],
) {
  return {
    timeWithoutHost: async () => call && (await callControl?.timeWithoutHost(call)),
    voicemail: voicemailOf(call, settings),
    isMachine: call?.answeredBy === "machine",
    billedCall: call && billedCall(call, clock.wallNow()),
  } satisfies Partial<ConversationRequest>;
}

function billedCall({ direction, connectedAtMs }: CallRecord, nowMs: number): BilledCall {
  // The first stream of a call may open before the event that says that it is connected.
  return { direction, connectedAtMs: connectedAtMs ?? nowMs };
}

/** Passes what happens to the conversation on to the call that carries it. */
export function lifeOfCall(
  call: CallRecord | undefined,
  callConnectionId: string,
  onClosed: () => void,
  { hasFlowed }: Flow,
  callControl: CallsOfStreams["callControl"],
): Partial<ConversationLife> {
  if (callControl === undefined) return {};
  let isClosed = false;
  let letGo = (): void => undefined;
  return {
    onConnected() {
      if (call !== undefined && !isClosed) letGo = callControl.carryStream({ ...call, callConnectionId }, hasFlowed);
    },
    onClosed() {
      isClosed = true;
      letGo();
      onClosed();
    },
    // No farewell: the service reopens the closed stream on another host, where the conversation continues.
    whenDraining: "move-to-another-host",
    onEnded: (reason) => void callControl.hangUp(callConnectionId, reason),
  };
}

export interface Flow {
  readonly onFrame: () => void;
  /** Whether any audio has come since the last check. */
  readonly hasFlowed: () => boolean;
}

export function createFlow(mayPause: boolean): Flow {
  let hasCome = true;
  return {
    onFrame() {
      hasCome = true;
    },
    hasFlowed() {
      const came = hasCome;
      hasCome = mayPause;
      return came;
    },
  };
}

export function timeLeft(call: CallRecord | undefined, longestMs: number, nowMs: number): number | undefined {
  if (call === undefined) return undefined;
  const lastedMs = call.connectedAtMs === undefined ? 0 : nowMs - call.connectedAtMs;
  return longestMs - lastedMs;
}

/** Callers are no machines, and a machine that is only noted is not noted again. */
function voicemailOf(call: CallRecord | undefined, { commVoicemail }: Settings): VoicemailAnswer | undefined {
  if (call?.direction !== "outbound") return undefined;
  const answer = call.voicemail ?? commVoicemail;
  return answer === "ignore" && call.answeredBy !== undefined ? undefined : answer;
}
