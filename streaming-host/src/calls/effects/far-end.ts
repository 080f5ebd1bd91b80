/** The person at the other end of a call: the caller of an inbound call, the callee of an outbound one. */
import { addressOfParty } from "@voice/shared/calls/party";
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { CallRecord } from "@voice/shared/state/ports/call-store";

/** As the service is to be told who it is. Undefined for a caller who hides the number if the service gives no other id. */
export function farEndOf({ direction, targetNumber, callerNumber, callerRawId }: CallRecord): string | undefined {
  return direction === "outbound" ? targetNumber : addressOfParty({ number: callerNumber, rawId: callerRawId });
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
