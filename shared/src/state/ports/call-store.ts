/**
 * Records of phone calls: one versioned record per call, a log of its events, and an index by creation time that is
 * read by range. A call's life span counts from its creation, whatever happens to it later.
 */
import { z } from "zod";
import { noPersons, voicemailAnswers } from "../../calls/voicemail.ts";
import { callLogMessage } from "../../contracts/calls/call-log.ts";
import type { CallOutcome } from "../../contracts/calls/call-outcome.ts";
import { callStatuses, type CallStatus } from "../../contracts/calls/call-status.ts";
import type { Stored } from "../stored-json.ts";
import { streamingModes } from "./session-store.ts";

export const callDirections = ["inbound", "outbound"] as const;
export type CallDirection = (typeof callDirections)[number];

/** Personal data throughout; stays in the store and in answers to authorised callers. */
const callParticipant = z.object({
  id: z.string(),
  phoneNumber: z.string().optional(),
  role: z.string(),
  status: z.string(),
});
export type CallParticipant = Stored<typeof callParticipant>;

/** A call's log keeps this many entries; the oldest are dropped first. */
export const maxCallLogEntries = 256;

/** `eventId` is the idempotency key: an entry with a known id is not appended again. */
export const callLogEntry = z.intersection(callLogMessage, z.object({ eventId: z.string(), timestampMs: z.number() }));
export type CallLogEntry = Stored<typeof callLogEntry>;

/**
 * What `failureCode` rests on, the least first: what we assume where nobody has said why, a report of a failure whose numbers mean
 * nothing to us, a report of the end that says why, and a report of the failure that says why. Reports come in any order, and a
 * better one replaces what is there. Absent where the failure is our own decision, or the answer to a request: nothing replaces that.
 */
export const failureBases = ["assumed", "unexplained", "end", "failure"] as const;
export type FailureBasis = (typeof failureBases)[number];

/** A failure of the call's media stream. */
const streamFailure = z.object({
  /** The service's event id, because events may be delivered twice. */
  eventId: z.string(),
  atMs: z.number(),
  /** Whether a stream has been opened since. */
  isMended: z.boolean(),
});
export type StreamFailure = Stored<typeof streamFailure>;

export const callRecord = z.object({
  callId: z.string(),
  /** The subject that placed it; absent if it belongs to the operators, as every incoming call does. */
  owner: z.string().optional(),
  /** The communication service's id, known once it has accepted or announced the call. */
  callConnectionId: z.string().optional(),
  status: z.enum(callStatuses),
  direction: z.enum(callDirections),
  /** Who is called, in E.164. Absent where an inbound call came to something else, such as a user of Teams. Personal data. */
  targetNumber: z.string().optional(),
  /** The service's own identifier of whoever is called by an inbound call. Personal data. */
  targetRawId: z.string().optional(),
  /** Who calls, in E.164. Absent: of an outbound call, the service's own number; of an inbound one, it is hidden. Personal data. */
  callerNumber: z.string().optional(),
  /** The service's own identifier of whoever calls: also that of a caller who hides the number. Personal data. */
  callerRawId: z.string().optional(),
  /** Context from the client that placed the call. Personal data; goes into the conversation's memory. */
  context: z.record(z.string(), z.unknown()),
  scenario: z.string().optional(),
  /** The published version by which that was decided, and with which the conversation begins. */
  release: z.number().optional(),
  /** The agent that answers; the scenario's start agent if absent. */
  agent: z.string().optional(),
  /** What agents speak that name no language; the scenario's or the setting's where absent. */
  language: z.string().optional(),
  timeZone: z.string().optional(),
  streamingMode: z.enum(streamingModes),
  recording: z.boolean(),
  participants: z.array(callParticipant),
  /** What to do if a machine answers; the service's setting if absent. */
  voicemail: z.enum(voicemailAnswers).optional(),
  /** Absent unless something suggests that it is not a person. */
  answeredBy: z.enum(noPersons).optional(),
  /** Whether the people on the call were deleted from the record. Events that come later do not add them again. */
  isForgotten: z.boolean().optional(),
  /** The service's sequence number of the list of participants. */
  participantsSequence: z.number().optional(),
  /** When the service was first asked to place or answer the call; a repeated request has to name the same time. */
  firstAskedAtMs: z.number().optional(),
  /** Why the service has not done so yet, as far as it answered. Without numbers. */
  notBegunBecause: z.string().optional(),
  /** When an inbound call began to ring, by its event, which may be delivered late. Absent: when the record was created. */
  rangAtMs: z.number().optional(),
  /** When the service was first asked to end it. */
  hangUpAtMs: z.number().optional(),
  /** The reason for ending it. */
  hangUpReason: z.string().optional(),
  /** The last transfer, by the id of its request; the next one may begin only after this has failed. */
  transferId: z.string().optional(),
  transferBegunAtMs: z.number().optional(),
  /** The newest failures of the media stream, oldest first. */
  streamFailures: z.array(streamFailure).optional(),
  /**
   * Whether the communication service itself has reported the end of the call. A call that has ended without it was closed because
   * we decided to end it, or on a guess: it may still go on at the service.
   */
  endedByService: z.boolean().optional(),
  /** Since when the service says that it knows no such call, without having reported its end. */
  missingSinceMs: z.number().optional(),
  /** All places were taken: the call is answered only to announce that, and has neither a stream nor a conversation. */
  turnedAway: z.boolean().optional(),
  /** What is said to a call that is turned away for another reason than full hosts, such as outside of opening hours. */
  announcement: z.string().optional(),
  /** When the call's hold ends. */
  holdUntilMs: z.number().optional(),
  /** The conversation that this call carries. */
  sessionId: z.string(),
  createdAtMs: z.number(),
  connectedAtMs: z.number().optional(),
  endedAtMs: z.number().optional(),
  /** The trace context of the request or event that created the call. */
  traceparent: z.string().optional(),
  /** Why it failed, for programs; absent where it has not. */
  failureCode: z.string().optional(),
  failureBasis: z.enum(failureBases).optional(),
  /** Why it failed or ended, in words for the operator. */
  failureReason: z.string().optional(),
  /** The numbers with which the communication service reported the end: what it meant is in `failureCode`. */
  serviceCode: z.number().optional(),
  serviceSubCode: z.number().optional(),
  /** Grows by one with every update; the compare in compare-and-set. Log entries do not count. */
  version: z.number(),
});
export type CallRecord = Stored<typeof callRecord>;

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

/** An object of functions, so that another one may stand in front of some of them. */
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
  /**
   * Newest first by creation time. In Redis O(log n + page), however it is filtered, and O(calls of theirs) for an owner or a
   * number.
   */
  list(query: CallQuery): Promise<CallPage>;
}
