/** Call control's port over the vendor's SDK. */
import { CallAutomationClient } from "@azure/communication-call-automation";
import type {
  CustomCallingContext,
  MediaStreamingOptions,
  TranscriptionOptions,
} from "@azure/communication-call-automation";
import type { TokenCredential } from "@azure/identity";
import { isLoopback } from "@voice/shared/config/kinds";
import type { CallAutomation, CallStreamKind, NewCallOptions } from "../../ports/call-automation.ts";
import { toCallError } from "./errors.ts";
import { toIdentifier, toPhoneNumber } from "./identifiers.ts";
import { toRepeatabilityId } from "./request-id.ts";
import { toTones } from "./tones.ts";

export type CallServiceAccess =
  | { readonly connectionString: string }
  | { readonly endpoint: string; readonly credential: TokenCredential };

export interface AzureCallAutomationOptions {
  readonly access: CallServiceAccess;
  readonly maxAttempts: number;
}

/** A caller hears the ringing meanwhile; the event bus tries again after these are used up. */
const retryDelayMs = 200;
const longestRetryDelayMs = 2000;

export function createAzureCallAutomation({ access, maxAttempts }: AzureCallAutomationOptions): CallAutomation {
  const client = createClient(access, maxAttempts);
  const connection = (callConnectionId: string) => client.getCallConnection(callConnectionId);

  async function run<T>(operation: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw toCallError(error, operation);
    }
  }

  return {
    place: ({ targetNumber, callerNumber, ...call }) =>
      run("placing a call", async () => {
        const invite = {
          targetParticipant: toPhoneNumber(targetNumber),
          sourceCallIdNumber: toPhoneNumber(callerNumber),
        };
        const { callConnectionProperties } = await client.createCall(invite, call.callbackUrl, newCallOptions(call));
        return requireConnectionId(callConnectionProperties);
      }),
    answer: ({ incomingCallContext, ...call }) =>
      run("answering a call", async () => {
        const { callConnectionProperties } = await client.answerCall(
          incomingCallContext,
          call.callbackUrl,
          newCallOptions(call),
        );
        return requireConnectionId(callConnectionProperties);
      }),
    hangUp: ({ callConnectionId, requestId }) =>
      run("hanging up", () => connection(callConnectionId).hangUp(true, repeatable(requestId))),
    transfer: ({ callConnectionId, target, operationContext, context, requestId }) =>
      run("transferring a call", async () => {
        await connection(callConnectionId).transferCallToParticipant(toIdentifier(target), {
          operationContext,
          customCallingContext: toCallingContext(target, context),
          ...repeatable(requestId),
        });
      }),
    sendDigits: ({ callConnectionId, digits, to, operationContext, requestId }) =>
      run("sending digits", async () => {
        const media = connection(callConnectionId).getCallMedia();
        await media.sendDtmfTones(toTones(digits), toIdentifier(to), { operationContext, ...repeatable(requestId) });
      }),
    hold: ({ callConnectionId, to, operationContext, audioUrl }) =>
      run("holding a call", () =>
        connection(callConnectionId)
          .getCallMedia()
          .hold(toIdentifier(to), {
            operationContext,
            ...(audioUrl === undefined ? {} : { playSource: { kind: "fileSource", url: audioUrl } }),
          }),
      ),
    unhold: ({ callConnectionId, to }) =>
      run("resuming a call", () => connection(callConnectionId).getCallMedia().unhold(toIdentifier(to))),
    startStream: (callConnectionId, kind) =>
      run("starting the stream", () => {
        const media = connection(callConnectionId).getCallMedia();
        return kind === "audio" ? media.startMediaStreaming() : media.startTranscription();
      }),
  };
}

/** What the service takes as the value of a custom SIP header. */
const maxHeaderLength = 63;

/** Users of the service get it as VoIP headers, everybody else as `X-MS-Custom-…` of SIP. */
function toCallingContext(target: string, context: Readonly<Record<string, string>>): CustomCallingContext {
  const kind = target.startsWith("8:") ? "voip" : "sipx";
  return Object.entries(context).map(([key, value]) => ({ kind, key, value: value.slice(0, maxHeaderLength) }));
}

function createClient(access: CallServiceAccess, maxAttempts: number): CallAutomationClient {
  const retryOptions = {
    maxRetries: maxAttempts - 1,
    retryDelayInMs: retryDelayMs,
    maxRetryDelayInMs: longestRetryDelayMs,
  };
  if (!("connectionString" in access))
    return new CallAutomationClient(access.endpoint, access.credential, { retryOptions });
  return new CallAutomationClient(access.connectionString, {
    retryOptions,
    allowInsecureConnection: isOnThisMachine(access.connectionString),
  });
}

function isOnThisMachine(connectionString: string): boolean {
  const endpoint = URL.parse(/endpoint=([^;]+)/i.exec(connectionString)?.[1] ?? "");
  return endpoint !== null && isLoopback(endpoint.hostname);
}

function newCallOptions({ callId, mediaUrl, stream, requestId }: NewCallOptions) {
  return { operationContext: callId, ...streamOptions(stream, mediaUrl), ...repeatable(requestId) };
}

function streamOptions(stream: CallStreamKind, transportUrl: string) {
  if (stream.kind === "transcript") {
    const transcriptionOptions: TranscriptionOptions = {
      transportUrl,
      transportType: "websocket",
      locale: stream.language,
      startTranscription: true,
      enableIntermediateResults: true,
    };
    return {
      transcriptionOptions,
      callIntelligenceOptions: { cognitiveServicesEndpoint: stream.cognitiveUrl },
    };
  }
  const mediaStreamingOptions: MediaStreamingOptions = {
    transportUrl,
    transportType: "websocket",
    contentType: "audio",
    // Everybody but us in one stream; unmixed streams of several people would arrive interleaved.
    audioChannelType: "mixed",
    startMediaStreaming: true,
    enableBidirectional: true,
    enableDtmfTones: true,
    audioFormat: stream.sampleRateHz === 24_000 ? "Pcm24KMono" : "Pcm16KMono",
  };
  return { mediaStreamingOptions };
}

/** Replaces the id that the SDK makes up for each call of a method: ours survives the process. */
function repeatable(requestId: string) {
  return { requestOptions: { customHeaders: { "repeatability-request-id": toRepeatabilityId(requestId) } } };
}

function requireConnectionId({ callConnectionId }: { readonly callConnectionId?: string }) {
  if (callConnectionId === undefined) throw new TypeError("the service accepted a call without naming it");
  return { callConnectionId };
}
