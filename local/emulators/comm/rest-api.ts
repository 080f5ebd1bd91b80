/**
 * The call automation REST API: maps each path and body to an action of the network, and its result to an answer. Paths and bodies are those
 * that the SDK sends (`@azure/communication-call-automation` 1.6, generated/src/models/index.d.ts).
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  addParticipantBody,
  answerCallBody,
  cancelInvitationBody,
  createCallBody,
  holdBody,
  nameOf,
  playBody,
  redirectBody,
  rejectBody,
  removeParticipantBody,
  sendDtmfBody,
  transferBody,
  unholdBody,
} from "./call-requests.ts";
import type { InvitationRequest, TransferRequest } from "./call-requests.ts";
import type { CallSetup } from "./call-setup.ts";
import type { EmulatedCall } from "./emulated-call.ts";
import type { RestAnswer } from "./repeatability.ts";

/** The actions of the network behind the API. */
export interface CallNetwork {
  /** Whether a request may end a call that is still ringing. */
  endsRingingCalls: boolean;
  call(callConnectionId: string): EmulatedCall | undefined;
  /** Undefined if the number is not a valid one. */
  place(to: string, from: string, setup: CallSetup): EmulatedCall | undefined;
  answer(incomingCallContext: string, setup: CallSetup): EmulatedCall | "taken" | undefined;
  /** False if no such call is ringing; undefined if the number is not a valid one. */
  redirect(incomingCallContext: string, to: string): boolean | undefined;
  reject(incomingCallContext: string): boolean;
  /** False if the number is not a valid one. */
  transfer(call: EmulatedCall, transfer: TransferRequest): boolean;
  addParticipant(call: EmulatedCall, invitation: InvitationRequest): boolean;
  /** Whether calls can have more than two participants. */
  hasGroupCalls: boolean;
}

const basePath = "/calling/callConnections";

export async function answerRest(
  network: CallNetwork,
  method: string,
  path: string,
  body: unknown,
): Promise<RestAnswer> {
  if (!path.startsWith(basePath)) return refusal(404, "NotFound", "no such resource");
  const rest = path.slice(basePath.length);
  try {
    if (rest === "" && method === "POST") return place(network, body);
    if (rest === ":answer" && method === "POST") return answer(network, body);
    if (rest === ":redirect" && method === "POST") return redirect(network, body);
    if (rest === ":reject" && method === "POST") return reject(network, body);
    const [, id = "", action = ""] = /^\/([^/:]+)(?:[/:](.*))?$/.exec(rest) ?? [];
    const call = network.call(decodeURIComponent(id));
    if (call === undefined || call.state === "disconnected") return refusal(404, "8522", "Call not found.");
    return actOnCall(network, call, `${method} ${action}`, body);
  } catch (error) {
    if (error instanceof z.ZodError) return refusal(400, "8500", z.prettifyError(error));
    throw error;
  }
}

function place(network: CallNetwork, body: unknown): RestAnswer {
  const request = createCallBody.parse(body);
  const [target] = request.targets;
  if (lacksIntelligence(request)) return refusal(400, "8585", "Transcription needs a cognitive services endpoint.");
  const from = request.sourceCallerIdNumber?.value;
  if (target === undefined || from === undefined) return refusal(400, "8501", "A call needs a target and a source.");
  const call = network.place(nameOf(target), from, setupOf(request));
  if (call === undefined) return refusal(400, "8523", "The target phone number is not valid.");
  return { status: 201, body: call.properties };
}

function answer(network: CallNetwork, body: unknown): RestAnswer {
  const request = answerCallBody.parse(body);
  if (lacksIntelligence(request)) return refusal(400, "8585", "Transcription needs a cognitive services endpoint.");
  const call = network.answer(request.incomingCallContext, setupOf(request));
  if (call === undefined) return refusal(404, "8522", "Call not found.");
  if (call === "taken") return refusal(409, "8528", "The call was answered before.");
  return { status: 200, body: call.properties };
}

function redirect(network: CallNetwork, body: unknown): RestAnswer {
  const { incomingCallContext, target } = redirectBody.parse(body);
  const isRedirected = network.redirect(incomingCallContext, nameOf(target));
  if (isRedirected === undefined) return refusal(400, "8523", "The target participant is not valid.");
  return isRedirected ? { status: 204 } : refusal(404, "8522", "Call not found.");
}

function reject(network: CallNetwork, body: unknown): RestAnswer {
  const { incomingCallContext } = rejectBody.parse(body);
  return network.reject(incomingCallContext) ? { status: 204 } : refusal(404, "8522", "Call not found.");
}

function addParticipant(network: CallNetwork, call: EmulatedCall, body: unknown): RestAnswer {
  if (!network.hasGroupCalls) return refusal(400, "8500", "The operation is not supported.");
  const { participantToAdd, operationContext, customCallingContext } = addParticipantBody.parse(body);
  const headers = { ...customCallingContext?.sipHeaders, ...customCallingContext?.voipHeaders };
  const invitationId = randomUUID();
  if (!network.addParticipant(call, { invitationId, target: nameOf(participantToAdd), operationContext, headers }))
    return refusal(400, "8523", "The target participant is not valid.");
  return { status: 202, body: { operationContext, invitationId } };
}

function play(call: EmulatedCall, body: unknown): RestAnswer {
  const { playSources, playTo, operationContext } = playBody.parse(body);
  const [source] = playSources;
  const to = playTo?.[0];
  if (source !== undefined) void call.play(source.file.uri, to && nameOf(to), operationContext);
  return { status: 202 };
}

function actOnCall(network: CallNetwork, call: EmulatedCall, operation: string, body: unknown): RestAnswer {
  switch (operation) {
    case "GET ":
      return { status: 200, body: call.properties };
    case "DELETE ":
      call.leave();
      return { status: 204 };
    case "POST participants:add":
      return addParticipant(network, call, body);
    case "POST participants:cancelAddParticipant": {
      const { invitationId, operationContext } = cancelInvitationBody.parse(body);
      call.cancelInvitation(invitationId, operationContext);
      return { status: 202, body: { invitationId, operationContext } };
    }
    case "POST participants:remove": {
      const { participantToRemove, operationContext } = removeParticipantBody.parse(body);
      call.removeParticipant(nameOf(participantToRemove), operationContext);
      return { status: 202, body: { operationContext } };
    }
    case "POST play":
      return play(call, body);
    case "POST terminate":
      if (call.state === "connecting" && !network.endsRingingCalls)
        return refusal(400, "8501", "The call is not in the established state.");
      call.hangUp("service");
      return { status: 204 };
    case "POST transferToParticipant": {
      const { targetParticipant, operationContext, customCallingContext } = transferBody.parse(body);
      const headers = { ...customCallingContext?.sipHeaders, ...customCallingContext?.voipHeaders };
      if (!network.transfer(call, { target: nameOf(targetParticipant), operationContext, headers }))
        return refusal(400, "8523", "The target participant is not valid.");
      return { status: 202, body: { operationContext } };
    }
    case "POST sendDtmfTones": {
      const { tones, operationContext } = sendDtmfBody.parse(body);
      call.sendKeys(tones.map((tone) => keyByTone.get(tone) ?? tone).join(""), operationContext);
      return { status: 202, body: { operationContext } };
    }
    case "POST hold": {
      const { targetParticipant, operationContext } = holdBody.parse(body);
      if (nameOf(targetParticipant) !== call.far)
        return refusal(400, "8523", "The target participant is not in the call.");
      call.hold(operationContext);
      return { status: 200 };
    }
    case "POST unhold":
      if (nameOf(unholdBody.parse(body).targetParticipant) !== call.far)
        return refusal(400, "8523", "The target participant is not in the call.");
      call.unhold();
      return { status: 200 };
    case "POST startMediaStreaming":
    case "POST startTranscription":
      call.startStream();
      return { status: 202 };
    case "GET participants":
      return { status: 200, body: { value: call.participants } };
    default:
      return refusal(404, "NotFound", "no such operation");
  }
}

const toneNames = "zero one two three four five six seven eight nine asterisk pound a b c d".split(" ");
const keyByTone = new Map(toneNames.map((tone, index) => [tone, "0123456789*#ABCD".charAt(index)]));

function lacksIntelligence(request: z.infer<typeof answerCallBody> | z.infer<typeof createCallBody>): boolean {
  return request.transcriptionOptions !== undefined && request.callIntelligenceOptions === undefined;
}

function setupOf(request: z.infer<typeof answerCallBody> | z.infer<typeof createCallBody>): CallSetup {
  const { callbackUri, operationContext, mediaStreamingOptions: media, transcriptionOptions: transcription } = request;
  return { callbackUri, operationContext, media, transcription };
}

function refusal(status: number, code: string, message: string): RestAnswer {
  return { status, body: { error: { code, message } } };
}
