/** Describes in words what happened in a call. */
import type { CallHistoryEvent } from "../api/calls-api.ts";
import { endingInWords } from "../conversation/explain-reason.ts";

const happenings: Readonly<Record<string, string>> = {
  CallConnected: "Picked up",
  CallDisconnected: "The line was closed",
  CreateCallFailed: "The call could not be placed",
  AnswerFailed: "The call could not be answered",
  ParticipantsUpdated: "The participants changed",
  MediaStreamingStarted: "The audio reached the service",
  MediaStreamingStopped: "The audio has stopped",
  MediaStreamingFailed: "The audio broke off",
  PlayCompleted: "An announcement was played",
  PlayFailed: "An announcement could not be played",
  CallTransferAccepted: "The call was transferred",
  CallTransferFailed: "The call could not be transferred",
  AddParticipantSucceeded: "Somebody was called in",
  AddParticipantFailed: "Nobody could be called in",
  CancelAddParticipantSucceeded: "The phone that rang was silenced",
  CancelAddParticipantFailed: "The phone that rang could not be silenced",
  RemoveParticipantSucceeded: "Somebody was removed",
  RemoveParticipantFailed: "Nobody could be removed",
  ContinuousDtmfRecognitionToneReceived: "A key was pressed",
  SendDtmfTonesCompleted: "Keys were pressed by the agent",
  "call.failed": "Failed",
  "call.turned-away": "Turned away",
  "announcement.played": "An announcement was made",
  "transfer.requested": "A transfer was asked for",
  "transfer.failed": "The transfer failed",
  "hold.requested": "Put on hold",
  "keys.requested": "Keys were to be pressed",
  "voicemail.detected": "An answering machine was heard",
  "menu.detected": "A telephone menu was heard",
  "not-in-service.detected": "The number is not in service",
  "stream.lost": "The audio was lost",
  "conversation.ended": "The conversation ended",
  "effect.transfer": "The agent transferred the call",
  "effect.escalate": "The agent called in a person",
  "effect.hold": "The agent put the call on hold",
  "effect.send-dtmf": "The agent pressed keys",
  "effect.hang-up": "The agent hung up",
};

/** An unknown event is shown by its own name, since a newer service has more of them. */
export function happeningInWords({ type, details }: Pick<CallHistoryEvent, "type" | "details">): string {
  const name = shortType(type);
  const what = happenings[name] ?? name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  const { reason, outcome } = details;
  if (type === "conversation.ended" && typeof reason === "string") return `${what} because ${endingInWords(reason)}`;
  if (typeof reason === "string") return `${what}: ${reason.replaceAll("_", " ")}`;
  return typeof outcome === "string" && outcome !== "done" ? `${what}: ${outcome.replaceAll("_", " ")}` : what;
}

/** `CallConnected` of `Microsoft.Communication.CallConnected`; the service's own names have no prefix. */
function shortType(type: string): string {
  return type.startsWith("Microsoft.") ? type.slice(type.lastIndexOf(".") + 1) : type;
}
