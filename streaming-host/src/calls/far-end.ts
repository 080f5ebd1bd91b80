/** The person at the other end of a call: the caller of an inbound call, the callee of an outbound one. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { CallRecord } from "@voice/shared/state/ports/call-store";

/** Undefined for a caller who hides the number and of whom the service names no other id. */
export function farEndOf({ direction, targetNumber, callerNumber }: CallRecord): string | undefined {
  return direction === "outbound" ? targetNumber : callerNumber;
}

/** By the service's own list of who is in the call, where it has sent one. */
export function isFarEndThere({ status, participants }: CallRecord): boolean {
  if (isEnded(status)) return false;
  return participants.length === 0 || participants.some(({ role }) => role === "caller" || role === "callee");
}

/** Likewise. */
export function hearsMusic({ participants }: CallRecord): boolean {
  return participants.some(({ status }) => status === "on_hold");
}
