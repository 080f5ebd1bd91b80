/**
 * Where ended conversations go to stay: the session store forgets them after a day. One document per session, replaced as
 * a whole, so that keeping it twice is keeping it once and a conversation that went on is there with all that was said.
 */
import { sessionMetricsResponse, sessionState } from "../contracts/http/sessions.ts";
import { z } from "zod";

/** As `GET /sessions/{id}` and its metrics describe it. Personal data. */
export const archivedConversation = z.object({
  ...sessionState.shape,
  // Documents that were written before there were such fields have to be read, too.
  end_reason: sessionState.shape.end_reason.default(null),
  recordings: sessionState.shape.recordings.default([]),
  turns: sessionMetricsResponse.shape.turns,
  /** The subject whose session it was; null or absent: the operators'. */
  owner: z.string().nullish(),
  archived_at: z.string(),
  call_connection_id: z.string().nullable(),
});

export type ArchivedConversation = z.infer<typeof archivedConversation>;

/** Rejects with `upstream_unavailable` when the document store did not do it; the caller may try again. */
export interface ConversationArchive {
  keep(conversation: ArchivedConversation, signal: AbortSignal): Promise<void>;
  find(sessionId: string): Promise<ArchivedConversation | undefined>;
  /** False when there was nothing. */
  forget(sessionId: string): Promise<boolean>;
}
