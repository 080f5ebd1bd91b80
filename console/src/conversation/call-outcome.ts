/** Describes in words who calls whom, and what became of it. */
import type { CallInfo } from "../api/calls-api.ts";
import { endingAfterColon } from "./explain-reason.ts";

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

/** Why a call did not come about; undefined for a code that only a newer service has. */
export function describeCallFailure(code: string): string | undefined {
  return failures[code];
}

export function isLive({ status }: Pick<CallInfo, "status">): boolean {
  return live[status] !== undefined;
}

/** Nobody has picked up yet. */
export function isOnItsWay({ status }: Pick<CallInfo, "status">): boolean {
  return status === "initiating" || status === "ringing";
}

export function outcomeOf(call: Pick<CallInfo, "status" | "failure" | "end_reason" | "direction">): Outcome {
  const { status, failure, end_reason: reason } = call;
  const now = live[status];
  if (now !== undefined) return { text: now, tone: "live" };
  if (failure) return { text: failures[failure.code] ?? `Failed: ${failure.reason}`, tone: "failed" };
  if (status === "failed") return { text: "Failed", tone: "failed" };
  if (reason === "transferred") return { text: "Transferred", tone: "ended" };
  return { text: reason ? `Ended: ${endingAfterColon(reason, !isInbound(call))}` : "Ended", tone: "ended" };
}

type Parties = Pick<CallInfo, "direction" | "target_number" | "caller_number" | "caller_raw_id">;

export function isInbound({ direction }: Pick<Parties, "direction">): boolean {
  return direction === "inbound";
}

/** The other side's number; undefined if it is hidden, or there is none. */
export function farNumberOf(call: Parties): string | undefined {
  return (isInbound(call) ? call.caller_number : call.target_number) ?? undefined;
}

export function partiesInWords(call: Parties): string {
  const far = farNumberOf(call) ?? whoWithoutNumber(call.caller_raw_id ?? "");
  return isInbound(call) ? `Incoming, from ${far}` : `Outgoing, to ${far}`;
}

/** The identifier of a telephone has what the network shows: an extension, or a word if the number is hidden. */
function whoWithoutNumber(rawId: string): string {
  const shown = /^4:(.*)$/.exec(rawId)?.[1];
  if (shown !== undefined && /^\d+$/.test(shown)) return `extension ${shown}`;
  return shown === undefined && rawId !== "" ? rawId : "a number that is withheld";
}
