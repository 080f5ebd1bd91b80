/**
 * One row for every conversation, and for every call that never became one: the facts by which people look for it, ready to be listed.
 * The session, its turns and its call stay the truth; a row is written again whenever one of them has changed (`tabulated-state.ts`).
 */
import { z } from "zod";
import { conversationOutcomes, type ConversationOutcome } from "../../contracts/conversations/conversation-outcome.ts";
import { noted } from "../../conversation/after-call.ts";
import { usage } from "../../costs/usage.ts";
import type { Stored } from "../stored-json.ts";
import { callDirections, type CallDirection } from "./call-store.ts";
import { channels, type Channel } from "./session-store.ts";

export const conversationRow = z.object({
  sessionId: z.string(),
  /** The owner's subject; absent if it belongs to the operators. */
  owner: z.string().optional(),
  channel: z.enum(channels),
  callId: z.string().optional(),
  direction: z.enum(callDirections).optional(),
  /** The number of the other side, or the address that the client named. Personal data. */
  who: z.string().optional(),
  /** Absent: a call that never became a conversation, and named none. */
  scenario: z.string().optional(),
  /** Every agent that has had the conversation, in the order of their first words; the active one is among them. */
  agents: z.array(z.string()),
  agent: z.string().optional(),
  outcome: z.enum(conversationOutcomes),
  endReason: z.string().optional(),
  /** A code, where a call did not come about or failed. */
  failure: z.string().optional(),
  startedAtMs: z.number(),
  /** Absent while it continues. */
  endedAtMs: z.number().optional(),
  turnCount: z.number(),
  /** The 95th percentile of the times from the caller's last word to the agent's first; absent if no answer was measured. */
  answerP95Ms: z.number().optional(),
  failureCount: z.number(),
  isTransferred: z.boolean(),
  language: z.string().optional(),
  /** Which prompt the agents had, where they have several. */
  version: z.string().optional(),
  /** The published version with which it began, 0 for the files alone; absent where there is no session, or an old one. */
  release: z.number().optional(),
  usage: usage,
  /** What was noted of it once it was over. */
  noted: noted.optional(),
  /** Grows with every change to the session and its call, so that an older row never replaces a newer one. */
  revision: z.number(),
});
export type ConversationRow = Stored<typeof conversationRow>;

/** Where a page begins: behind this row, in the order of the list. */
export type ConversationPlace = Pick<ConversationRow, "startedAtMs" | "sessionId">;

export interface ConversationQuery {
  readonly limit: number;
  readonly after?: ConversationPlace | undefined;
  readonly owner?: string | undefined;
  readonly channel?: Channel | undefined;
  readonly direction?: CallDirection | undefined;
  readonly scenario?: string | undefined;
  readonly release?: number | undefined;
  /** Any agent that has had it. */
  readonly agent?: string | undefined;
  readonly outcome?: ConversationOutcome | undefined;
  readonly endReason?: string | undefined;
  /** It failed, did not come about, or something failed in it. */
  readonly isFailed?: boolean | undefined;
  readonly isTransferred?: boolean | undefined;
  readonly minAnswerP95Ms?: number | undefined;
  readonly minDurationMs?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  /** Only those that began at this time or later. */
  readonly fromMs?: number | undefined;
  /** Only those that began before this time. */
  readonly beforeMs?: number | undefined;
  /** A part of an id, a number or an address (`conversation-labels.ts`). */
  readonly search?: string | undefined;
}

export interface ConversationPage {
  /** The one that began last first; they stay in this order. */
  readonly rows: readonly ConversationRow[];
  /** Where the next page begins; absent at the end. A page may be shorter than its limit, and even empty, before that. */
  readonly next?: ConversationPlace | undefined;
  /** How many match; absent where an index alone cannot tell. */
  readonly total?: number | undefined;
}

export interface ConversationTable {
  /** Returns the row that it replaced; `refused` if that is newer. It lives as long as its session, or its call. */
  put(row: ConversationRow): Promise<ConversationRow | "new" | "refused">;
  get(sessionId: string): Promise<ConversationRow | undefined>;
  /** These conversations continue, although perhaps nothing of them changes. */
  keepAlive(sessionIds: readonly string[]): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** Reads a bounded number of rows, however many there are. */
  list(query: ConversationQuery): Promise<ConversationPage>;
}
