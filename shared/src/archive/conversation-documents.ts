/**
 * The documents of conversations in the partition of their session's id, where several conversations may have had it one
 * after the other. Pure.
 */
import { z } from "zod";
import { archivedConversation } from "./conversation-archive.ts";
import type { ConversationKey, KeptConversation } from "./conversation-archive.ts";

const { owner, recordings } = archivedConversation.shape;

/** The fields that are read of each document, because whole documents are large. */
export const documentHead = z.object({
  id: z.string(),
  /** Absent in the parts of older conversations, which follow their first document. */
  created_at: z.string().optional(),
  owner,
  recordings,
});
export type DocumentHead = z.infer<typeof documentHead>;

/** No id of a session has an exclamation mark, so that no two conversations get the same. */
export function documentId({ sessionId, createdAt }: ConversationKey): string {
  return `${sessionId}!${Date.parse(createdAt)}`;
}

/** The name that documents had while each session id had one conversation. */
export function olderDocumentId({ sessionId }: Pick<ConversationKey, "sessionId">): string {
  return sessionId;
}

export function partId(ofDocument: string, at: number): string {
  return `${ofDocument}.part-${at}`;
}

/** The newest first. */
export function conversationsIn(sessionId: string, heads: readonly DocumentHead[]): KeptConversation[] {
  const found = new Map<string, KeptConversation>();
  for (const { created_at: createdAt, owner: whose, recordings: kept } of heads) {
    if (createdAt === undefined) continue;
    const recordingIds = [
      ...(found.get(createdAt)?.recordingIds ?? []),
      ...kept.map(({ recording_id: recordingId }) => recordingId),
    ];
    found.set(createdAt, { sessionId, createdAt, owner: whose ?? undefined, recordingIds });
  }
  return [...found.values()].toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}

/** In the order in which they are deleted: as long as one is left, the conversation is found and deleted again. */
export function documentsOf(key: ConversationKey, heads: readonly DocumentHead[]): string[] {
  const older = heads.find(({ id }) => id === olderDocumentId(key));
  const hasOlderParts = older === undefined || older.created_at === key.createdAt;
  const isOlderPart = ({ id }: DocumentHead): boolean => id.startsWith(`${olderDocumentId(key)}.part-`);
  const ids = heads
    .filter((head) => head.created_at === key.createdAt || (hasOlderParts && isOlderPart(head)))
    .map(({ id }) => id);
  const isFirst = (id: string): boolean => id === documentId(key) || id === olderDocumentId(key);
  return [...ids.filter((id) => !isFirst(id)), ...ids.filter(isFirst)];
}
