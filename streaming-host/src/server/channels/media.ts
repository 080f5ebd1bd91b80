/** `/media/stream`: the audio of a phone call from the communication service, or from a client that speaks its format. */
import { countedAs, ownerOf } from "@voice/shared/auth/caller";
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { Settings } from "@voice/shared/config/settings";
import { contextOfCall } from "@voice/shared/conversation/call-context";
import { farNumberOf, type CallRecord } from "@voice/shared/state/ports/call-store";
import type { BilledCall } from "../../session/usage/call-time.ts";
import { createMediaTransport } from "../../transports/media/media-transport.ts";
import type { Host } from "../../host/host.ts";
import type { CallControl } from "../../calls/call-control.ts";
import type { FindCall } from "../../calls/known-calls.ts";
import { isServicePeer } from "../accept/service-peer.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { ConversationLife, ConversationOnTransport } from "../conversations/connect/connection.ts";
import { sampleRateOf } from "./sample-rate.ts";

/** The phone calls that streams may carry. */
export interface CallsOfStreams {
  readonly findCall: FindCall;
  /** Absent if there is no communication service. */
  readonly callControl?: Pick<CallControl, "carryStream" | "hangUp" | "recordStream"> | undefined;
}

/**
 * A call that we know determines its session, scenario and mode; an unknown one (authentication is off) uses the
 * settings.
 */
export async function mediaConversation(
  accepted: AcceptedSocket,
  query: QueryOf<"media">,
  { clock, settings }: Host,
  { findCall, callControl }: CallsOfStreams,
): Promise<ConversationOnTransport> {
  const call = await findCall({ connectionId: query.call_connection_id, callId: query.call_id });
  const isService = isServicePeer(accepted.request);
  if (isService && call !== undefined) void callControl?.recordStream(call, query.call_connection_id);
  const channel = isService ? "phone" : "media";
  const streamingMode = call?.streamingMode ?? settings.streamingMode;
  const sampleRateHz = sampleRateOf(streamingMode);
  // The peer's service sends recognised words instead of audio when somebody speaks.
  const flow = createFlow(streamingMode === "TRANSCRIPTION");
  return {
    transport: createMediaTransport({
      socket: accepted.socket,
      clock,
      channel,
      peer: isService ? "service" : "client",
      sampleRateHz,
      bufferMs: isService ? settings.commPlayoutBufferMs : undefined,
      onFrame: flow.onFrame,
      listensItself: streamingMode !== "TRANSCRIPTION",
      format: { sampleRateHz, channels: 1, audioFormat: "pcm_16" },
    }),
    request: {
      caller: accepted.caller,
      // A call's conversation belongs to the user who placed the call, whichever line carries it.
      owner:
        call !== undefined && (query.session_id ?? call.sessionId) === call.sessionId
          ? call.owner
          : ownerOf(accepted.caller),
      client: isService ? undefined : countedAs(accepted.caller, accepted.request.socket.remoteAddress),
      sessionId: query.session_id ?? call?.sessionId,
      phoneNumber: call && farNumberOf(call),
      channel,
      streamingMode,
      scenario: call?.scenario,
      startAgent: call?.agent,
      context: call && contextOfCall(call),
      language: call?.language,
      timeZone: call?.timeZone,
      voicemail: isService ? voicemailOf(call, settings) : undefined,
      isMachine: isService && call?.answeredBy === "machine",
      callConnectionId: query.call_connection_id,
      isRecorded: call?.recording,
      callId: call?.callId,
      billedCall: isService && call !== undefined ? billedCall(call, clock.wallNow()) : undefined,
      traceparent: call?.traceparent ?? accepted.traceparent,
    },
    life: {
      longestMs: timeLeft(call, settings.commMaxCallMs, clock.wallNow()),
      onClosed: accepted.onClosed,
      ...(isService ? lifeOfCall(call, query.call_connection_id, accepted.onClosed, flow, callControl) : {}),
    },
  };
}

function billedCall({ direction, connectedAtMs }: CallRecord, nowMs: number): BilledCall {
  // The first stream of a call may open before the event that says that it is connected.
  return { direction, connectedAtMs: connectedAtMs ?? nowMs };
}

/** Passes what happens to the conversation on to the call that carries it. */
function lifeOfCall(
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

interface Flow {
  readonly onFrame: () => void;
  /** Whether any audio has come since the last check. */
  readonly hasFlowed: () => boolean;
}

function createFlow(mayPause: boolean): Flow {
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

function timeLeft(call: CallRecord | undefined, longestMs: number, nowMs: number): number | undefined {
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
