/** Restricts lists and sessions to what belongs to the caller. */
import { ownerOf, requireAccess, type Caller } from "@voice/shared/auth/caller";
import { tenantOwner } from "@voice/shared/auth/tenant";
import { unknownResource } from "@voice/shared/auth/unknown-resource";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import { requireKnown } from "./require-known.ts";

/** The owner to filter a list by: callers see their own items, operators everybody's, of their tenant where there are several. */
export function onlyOf(caller: Caller): string | undefined {
  if (!caller.isOperator) return ownerOf(caller);
  return caller.tenant === undefined ? undefined : tenantOwner(caller.tenant);
}

export function requireOwnSession(found: SessionRecord | "expired" | "unknown", caller: Caller): SessionRecord {
  // Nobody knows any more whose an expired one was.
  if (found === "expired" && caller.tenant !== undefined) throw unknownResource("session");
  const session = requireKnown(found, "session");
  requireAccess(caller, session.owner, "session");
  return session;
}
