/** Why an established call has ended. */
import { shortEventType } from "./call-transitions.ts";
import type { CallLogEntry, CallRecord, LoggedCall } from "../state/ports/call-store.ts";

type EndedCall = Pick<CallRecord, "status" | "failureCode" | "hangUpReason">;

/** The end reason of a conversation whose socket the other side closed. */
const peerClosed = "finished";

/** Uses the most specific reason known. A hang-up at the far end carries no reason. */
export function endReasonOf(
  { status, failureCode, hangUpReason }: EndedCall,
  events: LoggedCall["events"],
): string | null {
  if (status !== "disconnected" || failureCode !== undefined) return null;
  if (events.some(isTransfer)) return "transferred";
  for (const event of events.toReversed()) if (event.type === "conversation.ended") return event.details.reason;
  return hangUpReason === undefined || hangUpReason === peerClosed ? "caller_left" : hangUpReason;
}

/** The service reports only a transfer of its own; one with an introduction we make ourselves, by leaving the call. */
function isTransfer(entry: CallLogEntry): boolean {
  if (entry.type === "effect.transfer" || entry.type === "effect.escalate") return entry.details.outcome === "done";
  return shortEventType(entry.type) === "CallTransferAccepted";
}
