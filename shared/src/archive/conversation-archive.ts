/**
 * Where ended conversations go to stay: the session store forgets them after a day. One document per session, replaced as
 * a whole, so that keeping it twice is keeping it once and a conversation that went on is there with all that was said.
 */
import type { sessionMetricsResponse, sessionState } from "../contracts/http/sessions.ts";
import type { z } from "zod";

/** As `GET /sessions/{id}` and its metrics describe it. Personal data. */
export type ArchivedConversation = z.infer<typeof sessionState> &
  Pick<z.infer<typeof sessionMetricsResponse>, "turns"> & {
    readonly archived_at: string;
    readonly call_connection_id: string | null;
  };

/** Rejects with `upstream_unavailable` when the document store did not do it; the caller may try again. */
export interface ConversationArchive {
  keep(conversation: ArchivedConversation, signal: AbortSignal): Promise<void>;
  /** False when there was nothing. */
  forget(sessionId: string): Promise<boolean>;
}
