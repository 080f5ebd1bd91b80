/** The person at the other end of a call: the caller of an inbound call, the callee of an outbound one. */
import type { CallRecord } from "@voice/shared/state/ports/call-store";

/** Undefined for a caller who hides the number and of whom the service names no other id. */
export function farEndOf({ direction, targetNumber, callerNumber }: CallRecord): string | undefined {
  return direction === "outbound" ? targetNumber : callerNumber;
}
