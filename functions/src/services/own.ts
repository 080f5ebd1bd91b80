/** What belongs to whoever asks: the part of a list, and a session that was read. */
import { requireAccess, type Caller } from "@voice/shared/auth/caller";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import { requireKnown } from "./require-known.ts";

/** Whose things a list shows: the caller's own, and everybody's to operators. */
export function onlyOf({ isOperator, subject }: Caller): string | undefined {
  return isOperator ? undefined : subject;
}

export function requireOwnSession(found: SessionRecord | "expired" | "unknown", caller: Caller): SessionRecord {
  const session = requireKnown(found, "session");
  requireAccess(caller, session.owner, "session");
  return session;
}
