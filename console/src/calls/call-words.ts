/** Describes in words how a call went and what happened in it. */
import type { CallHistoryEvent, CallInfo } from "../api/calls-api.ts";
import { endingInWords } from "../conversation/reason-words.ts";

export interface Outcome {
  readonly text: string;
  readonly tone: "live" | "ended" | "failed";
}

const live: Readonly<Record<string, string>> = {
  initiating: "Being placed…",
  ringing: "Ringing…",
  connected: "Talking",
  on_hold: "On hold",
};

const failures: Readonly<Record<string, string>> = {
  busy: "Busy",
  declined: "Declined",
  no_answer: "Nobody answered",
  pstn_number_invalid: "There is no such number",
  cancelled: "Cancelled before anybody answered",
  caller_gone: "The caller hung up before anybody answered",
  all_places_taken: "Turned away: all places were taken",
  media_streaming_failed: "The audio could not be brought here",
};

export function isLive({ status }: Pick<CallInfo, "status">): boolean {
  return live[status] !== undefined;
}

/** Nobody has picked up yet. */
export function isOnItsWay({ status }: Pick<CallInfo, "status">): boolean {
  return status === "initiating" || status === "ringing";
}

export function outcomeOf({
  status,
  failure,
  end_reason: reason,
}: Pick<CallInfo, "status" | "failure" | "end_reason">): Outcome {
  const now = live[status];
  if (now !== undefined) return { text: now, tone: "live" };
  if (failure) return { text: failures[failure.code] ?? `Failed: ${failure.reason}`, tone: "failed" };
  if (status === "failed") return { text: "Failed", tone: "failed" };
  if (reason === "transferred") return { text: "Transferred", tone: "ended" };
  return { text: reason ? `Ended: ${endingInWords(reason)}` : "Ended", tone: "ended" };
}

const happenings: Readonly<Record<string, string>> = {
  CallConnected: "Picked up",
  CallDisconnected: "The line was closed",
  CreateCallFailed: "The call did not come about",
  AnswerFailed: "The call could not be answered",
  ParticipantsUpdated: "Who takes part has changed",
  MediaStreamingStarted: "The audio reached the service",
  MediaStreamingStopped: "The audio has stopped",
  MediaStreamingFailed: "The audio broke off",
  PlayCompleted: "An announcement was played",
  PlayFailed: "An announcement could not be played",
  CallTransferAccepted: "The call was transferred",
  CallTransferFailed: "The call could not be transferred",
  AddParticipantSucceeded: "Somebody was called in",
  AddParticipantFailed: "Nobody could be called in",
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
