/**
 * The allowed transitions between call statuses, and the status that each event of the communication service announces.
 * Events are delivered at least once and in any order, so an event that would move a call backwards is ignored.
 */
import type { CallStatus } from "../contracts/calls/call-status.ts";

const legal: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  initiating: ["ringing", "connected", "failed"],
  ringing: ["connected", "failed"],
  connected: ["on_hold", "disconnected"],
  on_hold: ["connected", "disconnected"],
  disconnected: [],
  failed: [],
};

/** A call that nobody answered has failed, whatever reports its end; only one that somebody answered is disconnected. */
export function isLegalTransition(from: CallStatus, to: CallStatus): boolean {
  return legal[from].includes(to);
}

export function isEnded(status: CallStatus): boolean {
  return legal[status].length === 0;
}

/** As far as we know, nobody has answered yet. */
export function isAwaitingAnswer(status: CallStatus): boolean {
  return status === "initiating" || status === "ringing";
}

type AnnouncedStatus = "connected" | "disconnected" | "failed";

const statusByEvent: Readonly<Record<string, AnnouncedStatus>> = {
  CallConnected: "connected",
  CallDisconnected: "disconnected",
  ConnectFailed: "failed",
  CreateCallFailed: "failed",
  AnswerFailed: "failed",
  AnswerCallFailed: "failed",
};

/** The status that an event of this type announces; undefined if it leaves the status unchanged. */
export function announcedStatus(eventType: string): AnnouncedStatus | undefined {
  const name = shortEventType(eventType);
  return Object.hasOwn(statusByEvent, name) ? statusByEvent[name] : undefined;
}

/** `CallConnected` of `Microsoft.Communication.CallConnected`. */
export function shortEventType(eventType: string): string {
  return eventType.slice(eventType.lastIndexOf(".") + 1);
}
