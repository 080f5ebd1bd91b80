/**
 * One row for every conversation, and for every call that never became one: the facts by which people look for it, ready to be listed.
 * The session, its turns and its call stay the truth; a row is written again whenever one of them has changed (`tabulated-state.ts`).
 */
import type { ConversationOutcome } from "../../contracts/conversations/conversation-outcome.ts";
import type { Noted } from "../../conversation/after-call.ts";
import type { Usage } from "../../costs/usage.ts";
import type { CallDirection } from "./call-store.ts";
import type { Channel } from "./session-store.ts";

export interface ConversationRow {
  readonly sessionId: string;
  /** The owner's subject; absent if it belongs to the operators. */
  readonly owner?: string | undefined;
  readonly channel: Channel;
  readonly callId?: string | undefined;
  readonly direction?: CallDirection | undefined;
  /** The number of the other side, or the address that the client named. Personal data. */
  readonly who?: string | undefined;
  /** Absent: a call that never became a conversation, and named none. */
  readonly scenario?: string | undefined;
  /** Every agent that has had the conversation, in the order of their first words; the active one is among them. */
  readonly agents: readonly string[];
  readonly agent?: string | undefined;
  readonly outcome: ConversationOutcome;
  readonly endReason?: string | undefined;
  /** A code, where a call did not come about or failed. */
  readonly failure?: string | undefined;
  readonly startedAtMs: number;
  /** Absent while it continues. */
  readonly endedAtMs?: number | undefined;
  readonly turnCount: number;
  /** Of the time from the caller's last word to the agent's first; absent where no answer was measured. */
  readonly answerP95Ms?: number | undefined;
  readonly failureCount: number;
  readonly isTransferred: boolean;
  readonly language?: string | undefined;
  /** The published version with which it began, 0 for the files alone; absent where there is no session, or an old one. */
  readonly release?: number | undefined;
  /** Which prompt the agents had, where they have several. */
  readonly version?: string | undefined;
  readonly usage: Usage;
  /** What was noted of it once it was over. */
  readonly noted?: Noted | undefined;
  /** Grows with every change to the session and its call, so that an older row never replaces a newer one. */
  readonly revision: number;
}

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
