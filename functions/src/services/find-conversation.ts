/**
 * Finds a conversation: in the session store for a day, and afterwards in the archive. If several have had the id one after the other, it
 * is the one identified by its time of creation, or the newest that the caller may see.
 */
import { mayAccess, requireAccess, type Caller } from "@voice/shared/auth/caller";
import type { ArchivedConversation } from "@voice/shared/archive/conversation-archive";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { Dependencies } from "../dependencies.ts";
import { missing } from "./require-known.ts";

export interface AskedConversation {
  readonly session_id: string;
  readonly created_at?: string | undefined;
  readonly caller: Caller;
}

export type FoundConversation =
  | { readonly isStored: true; readonly session: SessionRecord }
  | { readonly isStored: false; readonly archived: ArchivedConversation };

/** Rejects if neither has it, or if it is not the caller's. */
export async function findConversation(
  { session_id: sessionId, created_at: createdAt, caller }: AskedConversation,
  { state, archive }: Pick<Dependencies, "state" | "archive">,
): Promise<FoundConversation> {
  const isAsked = (createdAtMs: number): boolean => createdAt === undefined || createdAtMs === Date.parse(createdAt);
  const found = await state.sessions.get(sessionId);
  const stored = typeof found !== "string" && isAsked(found.createdAtMs) ? found : undefined;
  if (stored !== undefined && mayAccess(caller, stored.owner)) return { isStored: true, session: stored };
  const kept = await archive();
  const all = ((await kept?.conversationsOf(sessionId)) ?? []).filter((key) => isAsked(Date.parse(key.createdAt)));
  for (const key of all.filter(({ owner }) => mayAccess(caller, owner))) {
    const archived = await kept?.read(key);
    if (archived !== undefined) return { isStored: false, archived };
  }
  for (const { owner } of stored === undefined ? all : [stored, ...all]) requireAccess(caller, owner, "session");
  if (caller.tenant !== undefined) throw missing("unknown", "session"); // nobody knows any more whose an expired one was
  if (typeof found === "string") throw missing(found, "session");
  throw missing(createdAt === undefined ? "expired" : "unknown", "session");
}
