/**
 * Long-term storage for ended conversations, because the session store forgets them after a day. A conversation is
 * always replaced as a whole: archiving twice is harmless, and a resumed conversation is stored in full. Its session's id
 * may have been used again since, by somebody else as well, so that it is known by the time of its creation, too.
 */
import { sessionMetricsResponse, sessionState, sessionSummary } from "../contracts/http/sessions.ts";
import { z } from "zod";

/** As `GET /sessions/{id}` and its metrics describe it. Personal data. */
export const archivedConversation = z.object({
  ...sessionState.shape,
  // Optional, because documents from before these fields existed have to be readable too.
  end_reason: sessionState.shape.end_reason.default(null),
  failures: sessionState.shape.failures.default([]),
  recordings: sessionState.shape.recordings.default([]),
  cost: sessionState.shape.cost.default(null),
  usage: sessionState.shape.usage.default([]),
  turns: sessionMetricsResponse.shape.turns,
  /** The subject that owned the session; null or absent if it belongs to the operators. */
  owner: z.string().nullish(),
  archived_at: z.string(),
  call_connection_id: z.string().nullable(),
});

export type ArchivedConversation = z.infer<typeof archivedConversation>;

/** As `GET /sessions?archived=true` lists it. Personal data. */
export const archivedSummary = sessionSummary.extend({
  end_reason: archivedConversation.shape.end_reason,
  cost: archivedConversation.shape.cost,
});

export interface ArchivePage {
  readonly sessions: readonly z.infer<typeof archivedSummary>[];
  readonly total: number;
}

export interface ArchiveQuery {
  readonly offset: number;
  readonly limit: number;
  /** Only this subject's; all where absent. */
  readonly owner?: string | undefined;
}

export interface ConversationKey {
  readonly sessionId: string;
  /** When its session was created, as `created_at` says it. */
  readonly createdAt: string;
}

export interface KeptConversation extends ConversationKey {
  /** Absent if it belongs to the operators. */
  readonly owner?: string | undefined;
  readonly recordingIds: readonly string[];
}

/** Rejects with `upstream_unavailable` if the document store failed; the caller may retry. */
export interface ConversationArchive {
  keep(conversation: ArchivedConversation, signal: AbortSignal): Promise<void>;
  /** All that have had this session id, the newest first. */
  conversationsOf(sessionId: string): Promise<readonly KeptConversation[]>;
  read(key: ConversationKey): Promise<ArchivedConversation | undefined>;
  /** Newest activity first. */
  list(query: ArchiveQuery): Promise<ArchivePage>;
  /** False if there was no document. */
  forget(key: ConversationKey): Promise<boolean>;
}
