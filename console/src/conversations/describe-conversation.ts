/** What a row of the table says. */
import type { ConversationInfo } from "../api/conversations-api.ts";
import { describeCallFailure } from "../conversation/call-outcome.ts";
import { endingAfterColon } from "../conversation/explain-reason.ts";
import { displayName } from "../display-name.ts";

const outcomes: Readonly<Record<string, string>> = {
  in_progress: "Live",
  completed: "Completed",
  transferred: "Transferred",
  voicemail: "Voicemail",
  busy: "Busy",
  declined: "Declined",
  no_answer: "No answer",
  failed: "Failed",
};

export const outcomeNames: readonly string[] = Object.keys(outcomes);

export function describeOutcome(outcome: string): string {
  return outcomes[outcome] ?? displayName(outcome);
}

/** Empty where the outcome says it already. */
export function describeReason({
  outcome,
  end_reason: reason,
  direction,
}: Pick<ConversationInfo, "outcome" | "end_reason" | "direction">): string {
  if (!reason || reason === outcome || outcome === "transferred" || outcome === "voicemail") return "";
  // The service has called, so whoever hung up is not a caller.
  if (reason === "caller_left" && direction === "outbound") return "they hung up";
  return describeCallFailure(reason) ?? endingAfterColon(reason);
}

/** A published version; 0 stands for the catalog's files alone. */
export function describeRelease(release: number | null | undefined): string {
  if (release == null) return "";
  return release === 0 ? "Files" : `Version ${release}`;
}

const channels: Readonly<Record<string, string>> = {
  phone: "Phone",
  browser: "Browser",
  media: "Media",
  telephony: "Telephony",
};

export const channelNames: readonly string[] = Object.keys(channels);

export function describeChannel(channel: string): string {
  return channels[channel] ?? displayName(channel);
}

const briefLength = 6;

/** The beginning of the id, which a search finds, without what every id of the service begins with. */
export function briefId(sessionId: string): string {
  return sessionId.replace(/^session-/, "").slice(0, briefLength);
}

export function describeWho({
  who,
  channel,
  session_id: id,
}: Pick<ConversationInfo, "who" | "channel" | "session_id">): string {
  return who ?? (channel === "phone" ? "Number withheld" : briefId(id));
}

/** `812` as `0.8 s`. */
export function describeLatency(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? "" : `${(ms / 1000).toFixed(1)} s`;
}

/** Nobody answered the call, so there is no conversation to show, and its call says what happened. */
export function isCallAlone({
  call_id: callId,
  outcome,
  turns,
}: Pick<ConversationInfo, "call_id" | "outcome" | "turns">): boolean {
  return (
    typeof callId === "string" && (turns ?? 0) === 0 && ["busy", "declined", "no_answer", "failed"].includes(outcome)
  );
}
