/**
 * Stores sessions: a small versioned record, written by compare-and-set, and an append-only log of turns, which is
 * never rewritten. Both expire together.
 */
import type { Usage } from "../../costs/usage.ts";
import type { CallEffect } from "../../tools/tool.ts";
import type { SessionPiece } from "./session-log.ts";

export const channels = ["phone", "browser", "media", "telephony"] as const;
export type Channel = (typeof channels)[number];

export const streamingModes = ["MEDIA", "REALTIME", "TRANSCRIPTION", "VOICE_LIVE"] as const;
export type StreamingMode = (typeof streamingModes)[number];

/** A recording of the conversation, kept in the `RecordingStore`; one per socket that carried it. */
export interface SessionRecording {
  readonly recordingId: string;
  readonly startedAtMs: number;
  readonly sampleRateHz: number;
  /** Two: caller left, agent right. One: the caller only. */
  readonly channels: 1 | 2;
  /** `interrupted`: its host died before finishing it. `incomplete`: the storage did not accept all of it. */
  readonly status: "recording" | "complete" | "incomplete" | "interrupted" | "failed";
  /** Known once it has ended. */
  readonly durationMs?: number | undefined;
  /** The duration that the storage did not accept. */
  readonly lostMs?: number | undefined;
}

/** What went wrong in a conversation, in the words that its peer and those who watched were told. */
export interface SessionFailure {
  readonly code: string;
  readonly message: string;
  readonly timestampMs: number;
}

export interface PersonInCharge {
  /** The subject of the operator's token. */
  readonly subject: string;
  readonly sinceMs: number;
}

export interface SessionRecord {
  readonly sessionId: string;
  /** The owner's subject; absent if it belongs to the operators, as an anonymous session does. */
  readonly owner?: string | undefined;
  readonly channel: Channel;
  readonly streamingMode: StreamingMode;
  readonly scenario: string;
  /** The published version with which it began, 0 for the files alone. Absent in older records. */
  readonly release?: number | undefined;
  readonly activeAgent: string;
  /** Every agent that has spoken in this session; one that takes over again uses its return greeting. */
  readonly visitedAgents: readonly string[];
  readonly status: "active" | "ended";
  /** Why it ended, as watchers were told; kept when the session is resumed. */
  readonly endReason?: string | undefined;
  readonly callConnectionId?: string | undefined;
  readonly profileId?: string | undefined;
  /** Personal data; stays in the store. */
  readonly userEmail?: string | undefined;
  /** Facts from tools and handoffs. JSON values only. */
  readonly memory: Readonly<Record<string, unknown>>;
  /**
   * The position in the history at which the active agent's view begins (after a handoff without shared context).
   * Absent: at the start.
   */
  readonly knownFrom?: number | undefined;
  /** Number of turns begun, including those that left nothing in the history. Absent: none, or an old record. */
  readonly turnCount?: number | undefined;
  /** In the order of their beginning. */
  readonly recordings?: readonly SessionRecording[] | undefined;
  /** The latest ones, in the order in which they happened. */
  readonly failures?: readonly SessionFailure[] | undefined;
  /** The caller has heard to its end that this is recorded; no other host says it again, and none records without it. */
  readonly recordingAnnounced?: boolean | undefined;
  /** What it has used of services that are paid for. Only `appendTurn` changes it. */
  readonly usage?: Usage | undefined;
  /** Somebody has asked to delete it, so nothing more of it may be recorded or archived. */
  readonly deletionBegun?: boolean | undefined;
  /** A person has taken over, and the agent is silent (PERSON-4). */
  readonly person?: PersonInCharge | undefined;
  /** Which streaming host owns the live socket, if any. */
  readonly hostId?: string | undefined;
  /** When that host took it, later than any before it; what its predecessors still write is late (TAKE-2). Absent in old records. */
  readonly claimedAtMs?: number | undefined;
  /**
   * Written before tools with side effects run: without a result in the history such a call may or may not have been
   * carried out.
   */
  readonly begunCalls?: BegunCalls | undefined;
  /** The conversation's trace, shared by all hosts that carry it. */
  readonly traceparent?: string | undefined;
  readonly createdAtMs: number;
  /** When the store last took a write for this session; kept by the store, read-only for everyone else. */
  readonly lastActivityAtMs: number;
  /** From `firstVersion` on, grows by one with every write; the compare in compare-and-set. */
  readonly version: number;
}

export interface BegunCalls {
  readonly turnId: string;
  readonly agent: string;
  readonly calls: readonly StoredToolCall[];
}

export interface StoredToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

export const itemAuthors = ["operator", "person"] as const;

/** `operator`: the agent said an operator's line (OPS-3). `person`: a person who had taken over said it (PERSON-5). */
export type ItemAuthor = (typeof itemAuthors)[number];

export interface HistoryItem {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly content: string;
  readonly agent: string;
  /** For `assistant` items of an agent with several prompts: the one that it had. */
  readonly promptVersion?: string | undefined;
  readonly turnId: string;
  /** When it was over; of other items, when they were stored. */
  readonly timestampMs: number;
  /**
   * When its turn began: the caller began to speak, or the agent to reply. It tells where the item stands (`history-order.ts`), so no two
   * turns of a session have the same. Absent: where it was stored, as in older versions.
   */
  readonly begunAtMs?: number | undefined;
  /** The caller interrupted it, and `content` is the part that was heard; or the conversation ended while the caller was saying this. */
  readonly interrupted: boolean;
  /** With `interrupted`: nobody spoke over it. Its line, its model or its host was lost, or its conversation ended. */
  readonly brokenOff?: true | undefined;
  /** For `assistant` items: the model stopped before its end, at its token limit or by its content filter. */
  readonly cut?: "length" | "content_filter" | undefined;
  /** Whose words they are, if not those of the caller, the agent or the service. */
  readonly author?: ItemAuthor | undefined;
  /** For `assistant` items: the names of the guardrails that held back a part of it. */
  readonly guardrails?: readonly string[] | undefined;
  /** For `assistant` items that called tools, and for `tool` items that answer one. */
  readonly toolCalls?: readonly StoredToolCall[] | undefined;
  /** With `toolCalls`: what the agent wrote before them, heard or not, so that another host can say it if it was not. */
  readonly preamble?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  /** The effect that the tool requested, so that another host can carry it out if this one dies. */
  readonly effects?: readonly CallEffect[] | undefined;
  /**
   * Only `appendTurn` sets it: its host wrote it after another one had taken the session. It belongs to the record of what was said, and
   * not to the conversation that goes on.
   */
  readonly late?: true | undefined;
}

/** The latency waterfall of one turn; milliseconds after the anchor (the moment the user stopped). */
export interface TurnMetrics {
  readonly turnId: string;
  readonly agent: string;
  /** Of an agent with several prompts: the one that it had. */
  readonly promptVersion?: string | undefined;
  readonly timestampMs: number;
  readonly marks: Readonly<Record<string, number>>;
  /**
   * The reasons for deciding that the caller had finished; absent if there was nothing to wait for, and in turns of
   * older versions.
   */
  readonly why?: readonly string[] | undefined;
  /** What was used since the turn before. */
  readonly usage?: Usage | undefined;
}

/**
 * An id may be used again, also by somebody else, while whoever carried the session before is still writing. Versions that begin
 * with the time do not meet, so that a patch for the earlier session never fits the later one. A whole number, because Redis counts
 * on from it, and writes 14 digits of a number that it has counted.
 */
export function firstVersion({ createdAtMs }: Pick<SessionRecord, "createdAtMs">): number {
  return Math.max(1, Math.floor(createdAtMs));
}

export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  readonly total: number;
}

export type NewSession = Omit<SessionRecord, "version" | "lastActivityAtMs">;
export type SessionPatch = Partial<Omit<NewSession, "sessionId" | "owner" | "createdAtMs" | "usage">>;

export interface SessionQuery {
  readonly offset: number;
  readonly limit: number;
  /** Only this subject's; all where absent. */
  readonly owner?: string | undefined;
  readonly channel?: Channel | undefined;
  readonly status?: SessionRecord["status"] | undefined;
  /** Only sessions whose latest beginning, resumption or end was at this time or later. */
  readonly fromMs?: number | undefined;
  /** Only sessions whose latest beginning, resumption or end was before this time. */
  readonly beforeMs?: number | undefined;
}

/** One turn's contribution to the log. */
export interface TurnAppend {
  readonly items: readonly HistoryItem[];
  readonly metrics?: TurnMetrics | undefined;
  /** Replaces the record's value; absent leaves it unchanged. */
  readonly turnCount?: number | undefined;
  /** Added to the record's. */
  readonly usage?: Usage | undefined;
  /** For the session's log of messages, as `SessionLog.append` takes it. */
  readonly messages?: SessionPiece | undefined;
  /** Makes the append idempotent: a second one with this id does nothing. */
  readonly appendId: string;
  /** When the session that it belongs to was created: one that was created later, under the same id, does not take it. Absent: any does. */
  readonly createdAtMs?: number | undefined;
  /** Whoever writes it took the session then. Absent: it is never late. */
  readonly claimedAtMs?: number | undefined;
}

/** `late`: another host had taken the session, so the items are marked, and the number of turns stays that host's. */
export type AppendOutcome = "in time" | "late";

/** As much of a session as is needed to find everything that belongs to it. */
export type LivingSession = Pick<SessionRecord, "sessionId" | "owner" | "channel" | "status">;

export interface SessionStore {
  /** Rejects with `conflict` when the id exists. An id whose data has expired may be used again. */
  create(session: NewSession): Promise<SessionRecord>;
  /** `expired` for an id that existed and whose data is gone, `unknown` for one that never did. */
  get(sessionId: string): Promise<SessionRecord | "expired" | "unknown">;
  /**
   * Applies the patch if the stored version is `version`; otherwise rejects with `conflict`. Renews the life span.
   * A session that is gone rejects with `session_expired`, one that never was with `not_found`.
   */
  update(sessionId: string, version: number, patch: SessionPatch): Promise<SessionRecord>;
  /**
   * One turn in one round trip: appends in order and renews the life span. Rejects like `update`, conflict aside, and with
   * `session_expired` if a later session has the id now.
   */
  appendTurn(sessionId: string, turn: TurnAppend): Promise<AppendOutcome>;
  /**
   * These sessions go on, although perhaps nobody writes to them: they and everything that belongs to them live on as after a
   * write, and lists go on showing them, which then have them at least as far up as what was last used half a life span ago.
   * One round trip. A session that is gone stays gone.
   */
  keepAlive(sessions: readonly LivingSession[]): Promise<void>;
  /** In the order in which the turns began, whatever the order in which they were appended (HIST-6). */
  history(sessionId: string): Promise<readonly HistoryItem[]>;
  metrics(sessionId: string): Promise<readonly TurnMetrics[]>;
  /**
   * Newest activity first (a turn counts from its words, not from its reply); with a channel, a status or a time, the last to begin, go on again or end first. O(log n +
   * page), and O(the owner's sessions) where an owner is given.
   */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Removes record, history, metrics and the session's own agents and scenarios; leaves a tombstone. False when there was nothing. */
  delete(sessionId: string): Promise<boolean>;
}
