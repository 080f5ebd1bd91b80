/** Restricts lists and sessions to what belongs to the caller. */
import { requireAccess, type Caller } from "@voice/shared/auth/caller";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import { requireKnown } from "./require-known.ts";

/** The owner to filter a list by: callers see their own items, operators everybody's. */
export function onlyOf({ isOperator, subject }: Caller): string | undefined {
  return isOperator ? undefined : subject;
}

export function requireOwnSession(found: SessionRecord | "expired" | "unknown", caller: Caller): SessionRecord {
  const session = requireKnown(found, "session");
  requireAccess(caller, session.owner, "session");
  return session;
}
