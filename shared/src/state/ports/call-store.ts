/**
 * Records of phone calls: one versioned record per call, a log of its events, and an index by creation time that is
 * read by range. A call's life span counts from its creation, whatever happens to it later.
 */
import type { NoPerson, VoicemailAnswer } from "../../calls/voicemail.ts";
import type { CallLogMessage } from "../../contracts/calls/call-log.ts";
import type { CallOutcome } from "../../contracts/calls/call-outcome.ts";
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

/** A call's log keeps this many entries; the oldest are dropped first. */
export const maxCallLogEntries = 256;

export type CallLogEntry = CallLogMessage & {
  /** The idempotency key: an entry with a known id is not appended again. */
  readonly eventId: string;
  readonly timestampMs: number;
};

/**
 * What `failureCode` rests on, the least first: what we assume where nobody has said why, a report of a failure whose numbers mean
 * nothing to us, a report of the end that says why, and a report of the failure that says why. Reports come in any order, and a
 * better one replaces what is there. Absent where the failure is our own decision, or the answer to a request: nothing replaces that.
 */
export const failureBases = ["assumed", "unexplained", "end", "failure"] as const;
export type FailureBasis = (typeof failureBases)[number];

/** A failure of the call's media stream. */
export interface StreamFailure {
  /** The service's event id, because events may be delivered twice. */
  readonly eventId: string;
  readonly atMs: number;
  /** Whether a stream has been opened since. */
  readonly isMended: boolean;
}

export interface CallRecord {
  readonly callId: string;
  /** The subject that placed it; absent if it belongs to the operators, as every incoming call does. */
  readonly owner?: string | undefined;
  /** The communication service's id, known once it has accepted or announced the call. */
  readonly callConnectionId?: string | undefined;
  readonly status: CallStatus;
  readonly direction: CallDirection;
  /** Who is called, in E.164. Absent where an inbound call came to something else, such as a user of Teams. Personal data. */
  readonly targetNumber?: string | undefined;
  /** The service's own identifier of whoever is called by an inbound call. Personal data. */
  readonly targetRawId?: string | undefined;
  /** Who calls, in E.164. Absent: of an outbound call, the service's own number; of an inbound one, it is hidden. Personal data. */
  readonly callerNumber?: string | undefined;
  /** The service's own identifier of whoever calls: also that of a caller who hides the number. Personal data. */
  readonly callerRawId?: string | undefined;
  /** Context from the client that placed the call. Personal data; goes into the conversation's memory. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly scenario?: string | undefined;
  /** The published version by which that was decided, and with which the conversation begins. */
  readonly release?: number | undefined;
  /** The agent that answers; the scenario's start agent if absent. */
  readonly agent?: string | undefined;
  /** What agents speak that name no language; the scenario's or the setting's where absent. */
  readonly language?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly streamingMode: StreamingMode;
  readonly recording: boolean;
  readonly participants: readonly CallParticipant[];
  /** What to do if a machine answers; the service's setting if absent. */
  readonly voicemail?: VoicemailAnswer | undefined;
  /** Absent unless something suggests that it is not a person. */
  readonly answeredBy?: NoPerson | undefined;
  /** The service's sequence number of the list of participants. */
  readonly participantsSequence?: number | undefined;
  /** When the service was first asked to place or answer the call; a repeated request has to name the same time. */
  readonly firstAskedAtMs?: number | undefined;
  /** Why the service has not done so yet, as far as it answered. Without numbers. */
  readonly notBegunBecause?: string | undefined;
  /** When an inbound call began to ring, by its event, which may be delivered late. Absent: when the record was created. */
  readonly rangAtMs?: number | undefined;
  /** When the service was first asked to end it. */
  readonly hangUpAtMs?: number | undefined;
  /** The reason for ending it. */
  readonly hangUpReason?: string | undefined;
  /** The last transfer, by the id of its request; the next one may begin only after this has failed. */
  readonly transferId?: string | undefined;
  readonly transferBegunAtMs?: number | undefined;
  /** The newest failures of the media stream, oldest first. */
  readonly streamFailures?: readonly StreamFailure[] | undefined;
  /**
   * Whether the communication service itself has reported the end of the call. A call that has ended without it was closed because
   * we decided to end it, or on a guess: it may still go on at the service.
   */
  readonly endedByService?: boolean | undefined;
  /** Since when the service says that it knows no such call, without having reported its end. */
  readonly missingSinceMs?: number | undefined;
  /** All places were taken: the call is answered only to announce that, and has neither a stream nor a conversation. */
  readonly turnedAway?: boolean | undefined;
  /** What is said to a call that is turned away for another reason than full hosts, such as outside of opening hours. */
  readonly announcement?: string | undefined;
  /** When the call's hold ends. */
  readonly holdUntilMs?: number | undefined;
  /** Whether the people on the call were deleted from the record. Events that come later do not add them again. */
  readonly isForgotten?: boolean | undefined;
  /** The conversation that this call carries. */
  readonly sessionId: string;
  readonly createdAtMs: number;
  readonly connectedAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  /** The trace context of the request or event that created the call. */
  readonly traceparent?: string | undefined;
  /** Why it failed, for programs; absent where it has not. */
  readonly failureCode?: string | undefined;
  readonly failureBasis?: FailureBasis | undefined;
  /** Why it failed or ended, in words for the operator. */
  readonly failureReason?: string | undefined;
  /** The numbers with which the communication service reported the end: what it meant is in `failureCode`. */
  readonly serviceCode?: number | undefined;
  readonly serviceSubCode?: number | undefined;
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
  /** Not beside a status: each says more than the other in one place and less in another. */
  readonly outcome?: CallOutcome | undefined;
  readonly direction?: CallDirection | undefined;
  /** Only calls created at this time or later. */
  readonly fromMs?: number | undefined;
  /** Only calls created before this time. */
  readonly beforeMs?: number | undefined;
  /** Only calls that this subject placed; all where absent. */
  readonly owner?: string | undefined;
  /** Only calls with this far-end number. Personal data. */
  readonly number?: string | undefined;
}

/** What `forget` does to a record. */
export const forgottenPeople = {
  targetNumber: undefined,
  targetRawId: undefined,
  callerNumber: undefined,
  callerRawId: undefined,
  context: {},
  participants: [],
  isForgotten: true,
} as const satisfies CallPatch;

/** The number of the other party; absent if it is hidden, or there is none. */
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
  /**
   * Forgets whom the call connected and what was known of them, not that there was a call. Idempotent; nothing happens where there is
   * no such call.
   */
  forget(callId: string): Promise<void>;
  /** False when an entry with this id is there already. Rejects with `call_not_found` when there is no such call. */
  appendEvent(callId: string, entry: CallLogEntry): Promise<boolean>;
  /** Newest first by creation time; O(log n + page), however it is filtered, and O(calls of theirs) for an owner or a number. */
  list(query: CallQuery): Promise<CallPage>;
}
