/** Why a conversation ended, for logs and traces: one of the service's own reasons, and never text of a model. */
import { brokenSession, lossReasons } from "../session/modes/live-session.ts";
import { closeReasons } from "../transports/close-reasons.ts";

const knownReasons: ReadonlySet<string> = new Set([
  ...Object.keys(closeReasons),
  "internal_error",
  "reset",
  "deleted",
  "operator",
  "caller_left",
  "caller_silent",
  "call_too_long",
  "history_full",
  "recogniser_lost",
  "realtime_lost",
  "voice_failed",
  "too_many_failures",
  "caller_done",
  "voicemail",
  "voicemail_message_left",
  "not_in_service",
]);

/** A tool may end a conversation for a reason that a model has written; that is `other`. */
export function knownEndReason(reason: string): string {
  return knownReasons.has(reason) ? reason : "other";
}

/** The conversation ended because of a failure of the service, or of something that it depends on. */
export function isFailedEnd(reason: string): boolean {
  return lossReasons.has(reason) || reason === brokenSession || reason === "internal" || reason === "failed";
}
