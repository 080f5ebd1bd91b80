/**
 * Stores sessions: a small versioned record, written by compare-and-set, and an append-only log of turns, which is
 * never rewritten. Both expire together.
 */
import { z } from "zod";
import { usage, type Usage } from "../../costs/usage.ts";
import { toolCall } from "../../tools/tool-call.ts";
import type { CallEffect } from "../../tools/tool.ts";
import type { Stored } from "../stored-json.ts";
import type { SessionPiece } from "./session-log.ts";

export const channels = ["phone", "browser", "media", "telephony"] as const;
export type Channel = (typeof channels)[number];

export const streamingModes = ["MEDIA", "REALTIME", "TRANSCRIPTION", "VOICE_LIVE"] as const;
export type StreamingMode = (typeof streamingModes)[number];

/** A recording of the conversation, kept in the `RecordingStore`; one per socket that carried it. */
const sessionRecording = z.object({
  recordingId: z.string(),
  startedAtMs: z.number(),
  sampleRateHz: z.number(),
  /** Two: caller left, agent right. One: the caller only. */
  channels: z.union([z.literal(1), z.literal(2)]),
  /** `interrupted`: its host died before finishing it. `incomplete`: the storage did not accept all of it. */
  status: z.enum(["recording", "complete", "incomplete", "interrupted", "failed"]),
  /** Known once it has ended. */
  durationMs: z.number().optional(),
  /** The duration that the storage did not accept. */
  lostMs: z.number().optional(),
});
export type SessionRecording = Stored<typeof sessionRecording>;

/** What went wrong in a conversation, in the words that its peer and those who watched were told. */
const sessionFailure = z.object({ code: z.string(), message: z.string(), timestampMs: z.number() });
export type SessionFailure = Stored<typeof sessionFailure>;

/** `subject`: of the operator's token. */
const personInCharge = z.object({ subject: z.string(), sinceMs: z.number() });
export type PersonInCharge = Stored<typeof personInCharge>;

const begunCalls = z.object({ turnId: z.string(), agent: z.string(), calls: z.array(toolCall) });
export type BegunCalls = Stored<typeof begunCalls>;

export const sessionRecord = z.object({
  sessionId: z.string(),
  /** The owner's subject; absent if it belongs to the operators, as an anonymous session does. */
  owner: z.string().optional(),
  channel: z.enum(channels),
  streamingMode: z.enum(streamingModes),
  scenario: z.string(),
  activeAgent: z.string(),
  /** Every agent that has spoken in this session; one that takes over again uses its return greeting. */
  visitedAgents: z.array(z.string()),
  status: z.enum(["active", "ended"]),
  /** Why it ended, as watchers were told; kept when the session is resumed. */
  endReason: z.string().optional(),
  callConnectionId: z.string().optional(),
  profileId: z.string().optional(),
  /** Personal data; stays in the store. */
  userEmail: z.string().optional(),
  /** Facts from tools and handoffs. JSON values only. */
  memory: z.record(z.string(), z.unknown()),
  /**
   * The position in the history at which the active agent's view begins (after a handoff without shared context).
   * Absent: at the start.
   */
  knownFrom: z.number().optional(),
  /** Number of turns begun, including those that left nothing in the history. Absent: none, or an old record. */
  turnCount: z.number().optional(),
  /** The published version with which it began, 0 for the files alone. Absent in older records. */
  release: z.number().optional(),
  /** In the order of their beginning. */
  recordings: z.array(sessionRecording).optional(),
  /** The latest ones, in the order in which they happened. */
  failures: z.array(sessionFailure).optional(),
  /** The caller has heard to its end that this is recorded; no other host says it again, and none records without it. */
  recordingAnnounced: z.boolean().optional(),
  /** What it has used of services that are paid for. Only `appendTurn` changes it. */
  usage: usage.optional(),
  /** Its deletion was requested, so nothing more of it may be recorded or archived. */
  deletionBegun: z.boolean().optional(),
  /** A person has taken over, and the agent is silent (PERSON-4). */
  person: personInCharge.optional(),
  /** Which streaming host owns the live socket, if any. */
  hostId: z.string().optional(),
  /** When that host took it, later than any before it; what its predecessors still write is late (TAKE-2). Absent in old records. */
  claimedAtMs: z.number().optional(),
  /** When hosts took it from one that was gone, oldest first; the latest few. What was said before that may be lost (TAKE-3i). */
  takenOverAtMs: z.array(z.number()).optional(),
  /**
   * Written before tools with side effects run: without a result in the history such a call may or may not have been
   * carried out.
   */
  begunCalls: begunCalls.optional(),
  /** The conversation's trace, shared by all hosts that carry it. */
  traceparent: z.string().optional(),
  createdAtMs: z.number(),
  /** When the store last accepted a write for this session. Only the store sets it. */
  lastActivityAtMs: z.number(),
  /** Starts at `firstVersion` and grows by one with every write. It is compared in compare-and-set. */
  version: z.number(),
});
export type SessionRecord = Stored<typeof sessionRecord>;

export const itemAuthors = ["operator", "person"] as const;

/** `operator`: the agent said an operator's line (OPS-3). `person`: a person who had taken over said it (PERSON-5). */
export type ItemAuthor = (typeof itemAuthors)[number];

/** Must list every effect: one that is missing here is not read. */
const callEffects = {
  transfer: z.object({
    type: z.literal("transfer"),
    target: z.string(),
    reason: z.string(),
    introduction: z.string().optional(),
  }),
  escalate: z.object({ type: z.literal("escalate"), reason: z.string(), introduction: z.string().optional() }),
  hold: z.object({ type: z.literal("hold"), seconds: z.number() }),
  "send-dtmf": z.object({ type: z.literal("send-dtmf"), digits: z.string() }),
  "hang-up": z.object({ type: z.literal("hang-up"), reason: z.string() }),
} satisfies { readonly [T in CallEffect["type"]]: z.ZodType<Extract<CallEffect, { readonly type: T }>> };

const callEffect = z.union(Object.values(callEffects));

/** Effects that only a newer version knows are left out: the conversation is still readable while both versions run. */
const knownCallEffects = z
  .array(z.unknown())
  .transform((effects) => effects.flatMap((effect) => callEffect.safeParse(effect).data ?? []));

export const historyItem = z.object({
  role: z.enum(["user", "assistant", "tool", "system"]),
  content: z.string(),
  agent: z.string(),
  /** For `assistant` items of an agent with several prompts: the one that it had. */
  promptVersion: z.string().optional(),
  turnId: z.string(),
  /** When it was over; of other items, when they were stored. */
  timestampMs: z.number(),
  /**
   * When its turn began: the caller began to speak, or the agent to reply. It tells where the item stands (`history-order.ts`), so no two
   * turns of a session have the same. Absent: where it was stored, as in older versions.
   */
  begunAtMs: z.number().optional(),
  /** The caller interrupted it, and `content` is the part that was heard; or the conversation ended while the caller was saying this. */
  interrupted: z.boolean(),
  /** With `interrupted`: nobody spoke over it. Its line, its model or its host was lost, or its conversation ended. */
  brokenOff: z.literal(true).optional(),
  /** For `assistant` items: the model stopped before its end, at its token limit or by its content filter. */
  cut: z.enum(["length", "content_filter"]).optional(),
  /** The author of the text, if it is none of the caller, the agent and the service. */
  author: z.enum(itemAuthors).optional(),
  /** For `assistant` items: the names of the guardrails that held back a part of it. */
  guardrails: z.array(z.string()).optional(),
  /** For `assistant` items that called tools, and for `tool` items that answer one. */
  toolCalls: z.array(toolCall).optional(),
  /** With `toolCalls`: what the agent wrote before them, heard or not, so that another host can say it if it was not. */
  preamble: z.string().optional(),
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  /** The effect that the tool requested, so that another host can carry it out if this one dies. */
  effects: knownCallEffects.optional(),
  /**
   * Only `appendTurn` sets it: its host wrote it after another one had taken the session. It belongs to the record of what was said, and
   * not to the conversation that goes on.
   */
  late: z.literal(true).optional(),
});
export type HistoryItem = Stored<typeof historyItem>;

/** The latency waterfall of one turn; milliseconds after the anchor (the moment the user stopped). */
export const turnMetrics = z.object({
  turnId: z.string(),
  agent: z.string(),
  /** The prompt that an agent with several prompts had. */
  promptVersion: z.string().optional(),
  timestampMs: z.number(),
  marks: z.record(z.string(), z.number()),
  /**
   * The reasons for deciding that the caller had finished; absent if there was nothing to wait for, and in turns of
   * older versions.
   */
  why: z.array(z.string()).optional(),
  /** What was used since the turn before. */
  usage: usage.optional(),
});
export type TurnMetrics = Stored<typeof turnMetrics>;

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

/** An object of functions, so that another one may stand in front of some of them. */
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
   * Newest activity first (a turn counts from its words, not from its reply); with a channel, a status or a time, the last to
   * begin, be resumed or end first. In Redis O(log n + page), and O(the owner's sessions) where an owner is given.
   */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Removes record, history, metrics and the session's own agents and scenarios; leaves a tombstone. False when there was nothing. */
  delete(sessionId: string): Promise<boolean>;
}
