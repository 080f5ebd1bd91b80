/**
 * What is known of a phone call. One versioned record per call, a log of what happened to it, and an index by creation
 * time that is read by range. A call's life span counts from its creation, whatever happens to it later.
 */
import type { VoicemailAnswer } from "../../calls/voicemail.ts";
import type { CallLogMessage } from "../../contracts/calls/call-log.ts";
import type { CallStatus } from "../../contracts/calls/call-status.ts";
import type { StreamingMode } from "./session-store.ts";

export const callDirections = ["inbound", "outbound"] as const;
export type CallDirection = (typeof callDirections)[number];

/** Personal data throughout; stays in the store and in answers to authorised callers. */
export interface CallParticipant {
  readonly id: string;
  readonly phoneNumber?: string | undefined;
  readonly role: string;
  readonly status: string;
}

/** A call's log keeps this many entries; the oldest go first. */
export const maxCallLogEntries = 256;

export type CallLogEntry = CallLogMessage & {
  /** The idempotency key: an entry with a known id is not appended again. */
  readonly eventId: string;
  readonly timestampMs: number;
};

/** The service could not keep up the call's media stream. */
export interface StreamFailure {
  /** The service's event, which may be told twice. */
  readonly eventId: string;
  readonly atMs: number;
  /** Whether a stream was opened again since. */
  readonly isMended: boolean;
}

export interface CallRecord {
  readonly callId: string;
  /** The subject that placed it; absent: the operators', as every incoming call. */
  readonly owner?: string | undefined;
  /** The communication service's id, known once it has accepted or announced the call. */
  readonly callConnectionId?: string | undefined;
  readonly status: CallStatus;
  readonly direction: CallDirection;
  /** Personal data. */
  readonly targetNumber: string;
  /** Personal data. Absent: the service's own number. */
  readonly callerNumber?: string | undefined;
  /** What whoever placed the call knows about it. Personal data; goes into the conversation's memory. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly scenario?: string | undefined;
  /** Who takes the call; the scenario's start agent where absent. */
  readonly agent?: string | undefined;
  /** What agents speak that name no language; the scenario's or the setting's where absent. */
  readonly language?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly streamingMode: StreamingMode;
  readonly recording: boolean;
  readonly participants: readonly CallParticipant[];
  /** What to do when a machine takes the call; the service's setting where absent. */
  readonly voicemail?: VoicemailAnswer | undefined;
  /** Absent where nothing says that it is not a person. */
  readonly answeredBy?: "machine" | undefined;
  /** Which list of participants this is; the service numbers them. */
  readonly participantsSequence?: number | undefined;
  /** When the service was first asked to place or answer the call: a repetition names the same time. */
  readonly firstAskedAtMs?: number | undefined;
  /** When the service was first asked to end it. */
  readonly hangUpAtMs?: number | undefined;
  /** Why it was. */
  readonly hangUpReason?: string | undefined;
  /** The transfer that was begun last, by the id of what asked for it; the next may begin when this one has failed. */
  readonly transferId?: string | undefined;
  readonly transferBegunAtMs?: number | undefined;
  /** The newest failures of the media stream, oldest first. */
  readonly streamFailures?: readonly StreamFailure[] | undefined;
  /** Whether the communication service itself has said that the call is over. */
  readonly endedByService?: boolean | undefined;
  /** All places were taken: it is answered only to be told so, and has neither a stream nor a conversation. */
  readonly turnedAway?: boolean | undefined;
  /** When a call that is on hold goes on. */
  readonly holdUntilMs?: number | undefined;
  /** The conversation that this call carries. */
  readonly sessionId: string;
  readonly createdAtMs: number;
  readonly connectedAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  /** The trace that the call belongs to, of whoever asked for it or announced it. */
  readonly traceparent?: string | undefined;
  /** Why it failed, for programs; absent where it has not. */
  readonly failureCode?: string | undefined;
  /** Why it failed or ended, in words for the operator. */
  readonly failureReason?: string | undefined;
  /** Grows by one with every update; the compare in compare-and-set. Log entries do not count. */
  readonly version: number;
}

export type NewCall = Omit<CallRecord, "version">;
export type CallPatch = Partial<Omit<CallRecord, "callId" | "owner" | "version" | "createdAtMs">>;

/** A call with its log, as `GET /calls/` shows it. */
export interface LoggedCall {
  readonly call: CallRecord;
  readonly events: readonly CallLogEntry[];
}

export interface CallQuery {
  readonly offset: number;
  readonly limit: number;
  readonly status?: CallStatus | undefined;
  /** Only calls that this subject placed; all where absent. */
  readonly owner?: string | undefined;
  /** Only calls with this number at the far end. Personal data. */
  readonly number?: string | undefined;
}

/** The number of whoever the service talks with; absent where the network hides it. */
export function farNumberOf({
  direction,
  targetNumber,
  callerNumber,
}: Pick<CallRecord, "direction" | "targetNumber" | "callerNumber">): string | undefined {
  return direction === "outbound" ? targetNumber : callerNumber;
}

export interface CallPage {
  readonly calls: readonly LoggedCall[];
  /** All calls that match the filter, not only this page. */
  readonly total: number;
}

export interface CallStore {
  /** Rejects with `conflict` when the call id exists. */
  create(call: NewCall): Promise<CallRecord>;
  get(callId: string): Promise<CallRecord | undefined>;
  getByConnection(callConnectionId: string): Promise<CallRecord | undefined>;
  /** Oldest first. */
  events(callId: string): Promise<readonly CallLogEntry[]>;
  /** Rejects with `conflict` when the stored version is another, with `call_not_found` when there is no such call. */
  update(callId: string, version: number, patch: CallPatch): Promise<CallRecord>;
  /** False when an entry with this id is there already. Rejects with `call_not_found` when there is no such call. */
  appendEvent(callId: string, entry: CallLogEntry): Promise<boolean>;
  /** Newest first by creation time; O(log n + page), with and without the status, and O(calls of theirs) for an owner or a number. */
  list(query: CallQuery): Promise<CallPage>;
}
