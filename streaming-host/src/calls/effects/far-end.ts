/** The person at the other end of a call: the caller of an inbound call, the callee of an outbound one. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { CallRecord } from "@voice/shared/state/ports/call-store";

/** An extension of a branch exchange, or the word for a number that is hidden. */
const notInternational = /^(?:\d+|anonymous)$/i;

/** Undefined for a caller who hides the number if the service gives no other id. */
export function farEndOf({ direction, targetNumber, callerNumber }: CallRecord): string | undefined {
  if (direction === "outbound") return targetNumber;
  // The service knows any participant on a telephone by `4:` and what it shows as the number.
  return callerNumber !== undefined && notInternational.test(callerNumber) ? `4:${callerNumber}` : callerNumber;
}

/** According to the service's last participant list, if it has sent one. */
export function isFarEndThere({ status, participants }: CallRecord): boolean {
  if (isEnded(status)) return false;
  return participants.length === 0 || participants.some(({ role }) => role === "caller" || role === "callee");
}

/** Likewise. */
export function hearsMusic({ participants }: CallRecord): boolean {
  return participants.some(({ status }) => status === "on_hold");
}
