/** `/twilio/stream/{token}`: the audio of a phone call from Twilio. */
import { serviceCaller } from "@voice/shared/auth/caller";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { Host } from "../../host/host.ts";
import { TwilioTransport, twilioRateHz, TwilioStream } from "../../transports/twilio/twilio-transport.ts";
import type { StreamStart } from "../../transports/twilio/stream-messages.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { createFlow, lifeOfCall, requestOfCall, requestOfPhone, timeLeft } from "./phone-conversation.ts";
import type { CallsOfStreams } from "./phone-conversation.ts";
import { sampleRateOf } from "./sample-rate.ts";

/** The token was found to be that of a call (`admission.ts`), and the first message has to be of the same. */
export async function openTwilio(
  { socket, onClosed, traceparent, callId = "" }: AcceptedSocket,
  host: Host,
  { conversations, calls }: { readonly conversations: Pick<Conversations, "connect">; readonly calls: CallsOfStreams },
): Promise<LiveConnection> {
  const { settings, clock, logger } = host;
  const { onFrame, hasFlowed } = createFlow(false);
  const stream = new TwilioStream(socket, clock, onFrame);
  const start = await stream.opening;
  const call = start && (await calls.findCall({ connectionId: start.callSid, callId }));
  if (start === undefined || call === undefined || !isOfCall(start, call, callId, settings.twilioAccountSid)) {
    if (start !== undefined) logger.warn({ callId }, "a media stream is not of the call that it was opened for");
    stream.close("refused");
    return withoutConversation(stream, onClosed);
  }
  const { streamingMode } = call;
  const { callControl } = calls;
  void callControl?.recordStream(call, start.callSid);
  return conversations.connect({
    transport: new TwilioTransport({
      stream,
      start,
      clock,
      // A telephone keeps its rate (decision 029); recognisers have a rate of their own.
      sampleRateHz: streamingMode === "VOICE_LIVE" ? twilioRateHz : sampleRateOf(streamingMode),
      bufferMs: settings.commPlayoutBufferMs,
    }),
    request: {
      ...requestOfCall(call),
      ...requestOfPhone(call, { settings, clock }, callControl),
      caller: serviceCaller("twilio"),
      owner: call.owner,
      client: undefined,
      sessionId: call.sessionId,
      channel: "phone",
      streamingMode,
      callConnectionId: start.callSid,
      traceparent: call.traceparent ?? traceparent,
    },
    life: {
      longestMs: timeLeft(call, settings.commMaxCallMs, clock.wallNow()),
      onClosed,
      ...lifeOfCall(call, start.callSid, onClosed, { onFrame, hasFlowed }, callControl),
    },
  });
}

function isOfCall(
  { callSid, accountSid }: StreamStart,
  call: CallRecord,
  callId: string,
  ourAccount: string | undefined,
): boolean {
  return call.callId === callId && (call.callConnectionId ?? callSid) === callSid && accountSid === ourAccount;
}

function withoutConversation(stream: TwilioStream, onClosed: () => void): LiveConnection {
  stream.listen(() => undefined, onClosed);
  const end = (): void => stream.close("finished");
  return { drain: end, close: async () => end() };
}
